/* Numbers as the shortest decimal text that reads back as the same number, with
   a point in every locale. */
#ifndef ZF_IO_DECIMAL_H
#define ZF_IO_DECIMAL_H

enum { ZF_DECIMAL_ROOM = 32 };

/* "0.1", "-12.5", "3", "1.5e-09"; returns text. What is not finite, which no writer lets
   come here (base/finite.h), is "nan", "inf" or "-inf". */
char *zf_decimal_float(char text[ZF_DECIMAL_ROOM], float value);
char *zf_decimal_double(char text[ZF_DECIMAL_ROOM], double value);

/* The same with a point or an exponent behind it always: "3.0", for formats in
   which "3" is an integer, and with a point before any exponent: "1.0e-09". */
char *zf_decimal_real(char text[ZF_DECIMAL_ROOM], float value);

#endif
