"""Bidirectional LSTM."""
import torch

from golden_common import layer, normal


def lstm(input, forward_input, forward_hidden, forward_bias, backward_input, backward_hidden,
         backward_bias):
    hidden = forward_hidden.shape[1]
    module = torch.nn.LSTM(input.shape[2], hidden, bidirectional=True, batch_first=True).double()
    zero = torch.zeros(4 * hidden, dtype=torch.float64)
    parameters = {"weight_ih_l0": forward_input, "weight_hh_l0": forward_hidden,
                  "bias_ih_l0": forward_bias, "bias_hh_l0": zero,
                  "weight_ih_l0_reverse": backward_input, "weight_hh_l0_reverse": backward_hidden,
                  "bias_ih_l0_reverse": backward_bias, "bias_hh_l0_reverse": zero}
    state = torch.zeros(2, input.shape[0], hidden, dtype=torch.float64)
    weights = [parameters[name] for name in module._flat_weights_names]
    return torch._VF.lstm(input, (state, state), weights, True, 1, 0.0, True, True, True)[0]


def make():
    torch.manual_seed(31)
    inputs, hidden = 3, 5
    arrays = {"input": normal(7, 6, inputs)}
    for direction in ("forward", "backward"):
        arrays[direction + "_input"] = normal(4 * hidden, inputs)
        arrays[direction + "_hidden"] = normal(4 * hidden, hidden)
        arrays[direction + "_bias"] = normal(4 * hidden)
    layer("lstm", lstm, arrays)
