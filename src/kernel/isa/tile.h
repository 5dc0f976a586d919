/* For kernels that hold a tile of sums in registers. */
#ifndef ZF_KERNEL_ISA_TILE_H
#define ZF_KERNEL_ISA_TILE_H

/* Before a loop over the sides of a tile, whose bounds are constants once the
   function around it is inlined. */
#define UNROLL _Pragma("GCC unroll 16")

/* A vector that is used several times stays in its register: GCC would fold the
   load into each multiplication, and loads are what is short. */
#if defined(__x86_64__)
#define IN_REGISTER(v) __asm__("" : "+v"(v))
#else
#define IN_REGISTER(v) (void)(v)
#endif

#endif
