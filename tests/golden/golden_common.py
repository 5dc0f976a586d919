"""What the golden_*.py scripts share: running a layer in PyTorch, and writing
what went in and came out as one safetensors file a layer.

Layers run in double precision on values that float32 holds exactly, so that a
file is the true result, rounded once.
"""
import json
import pathlib
import struct

import numpy as np

try:
    import torch
except ModuleNotFoundError: # not every family is made with it
    torch = None

HERE = pathlib.Path(__file__).parent


def write(name, arrays):
    """Writes tests/golden/NAME.safetensors: float32, in the order given."""
    header, data = {}, b""
    for key, array in arrays.items():
        array = np.ascontiguousarray(array, dtype="<f4")
        assert np.isfinite(array).all(), f"{name}: {key} is not finite"
        end = len(data) + array.nbytes
        header[key] = {"dtype": "F32", "shape": list(np.shape(array)), "data_offsets": [len(data), end]}
        data += array.tobytes()
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(len(text) + 8) % 64)
    (HERE / f"{name}.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)


def normal(*shape):
    """Standard normal values that float32 holds exactly."""
    return torch.randn(*shape, dtype=torch.float32).double()


def layer(name, function, inputs, fixed=None, seed=1):
    """Writes what function(**inputs, **fixed) gives and what its gradients are.

    inputs get a gradient (d_NAME in the file), fixed ones do not; the result is
    y, the gradient it is given is dy (1 for a scalar).
    """
    fixed = fixed or {}
    leaves = {key: value.clone().requires_grad_() for key, value in inputs.items()}
    y = function(**leaves, **fixed)
    torch.manual_seed(1000 + seed)
    dy = normal(*y.shape) if y.dim() > 0 else torch.ones((), dtype=torch.float64)
    y.backward(dy)
    arrays = {key: value.detach().numpy() for key, value in leaves.items()}
    arrays |= {key: np.asarray(value) for key, value in fixed.items()}
    arrays |= {"y": y.detach().numpy(), "dy": dy.numpy()}
    arrays |= {"d_" + key: value.grad.numpy() for key, value in leaves.items()}
    write(name, arrays)
