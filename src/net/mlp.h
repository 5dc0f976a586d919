/* Multilayer perceptrons. */
#ifndef ZF_NET_MLP_H
#define ZF_NET_MLP_H

#include "engine/program.h"

enum { ZF_MLP_LAYERS = 8 };

/* Linear layers with relu between them: sizes[0] inputs, sizes[layers] outputs,
   1 <= layers <= ZF_MLP_LAYERS. Parameters are NAME.0.weight [out, in],
   NAME.0.bias, NAME.1.weight, ..., initialised as PyTorch does. */
zf_node *zf_mlp(zf_node *x, const char *name, const int *sizes, int layers);
/* Its parameters alone: for a program that does without the network, in a set that a file
   holds it in. */
void zf_mlp_declare(zf_program *program, const char *name, const int *sizes, int layers);

#endif
