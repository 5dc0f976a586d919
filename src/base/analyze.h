/* What gcc's analyzer (scripts/analyze) is told because it cannot see it itself. Nothing of
   it is in what is built. */
#ifndef ZF_BASE_ANALYZE_H
#define ZF_BASE_ANALYZE_H

/* Between these two lines a warning of the analyzer is known to be none; a comment says why. */
#ifdef ZF_ANALYZE
#define ZF_PRAGMA(text) _Pragma(#text)
#define ZF_ANALYZER_MISTAKES(warning)                                                              \
    _Pragma("GCC diagnostic push") ZF_PRAGMA(GCC diagnostic ignored warning)
#define ZF_ANALYZER_AGAIN _Pragma("GCC diagnostic pop")
#else
#define ZF_ANALYZER_MISTAKES(warning)
#define ZF_ANALYZER_AGAIN
#endif

#endif
