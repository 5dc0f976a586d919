"""Is it the same loss? Puts the weights of a model that zeroflow trained into the
PyTorch networks of blankets.py, and compares.

    same_loss.py DATA.csv MODEL GATES.csv

The gates of every single target must agree to 1e-5 with GATES.csv (what
`zeroflow graph --matrix` writes). Both terms of the loss must agree with what
training measured in its last steps, when the rate was almost 0: means over
random batches on either side, so only within five of their standard errors.
Prints both as JSON; fails if they do not agree.
"""

import json
import math
import struct
import sys

import numpy as np
import torch

import blankets

BATCHES, LAST_ROWS = 2000, 16


def read_model(path):
    """The tensors of numbers of a safetensors file, as float32."""
    kinds = {"F32": np.float32, "F64": np.float64}
    with open(path, "rb") as file:
        (size,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(size))
        body = file.read()
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] in kinds:
            begin, end = entry["data_offsets"]
            values = np.frombuffer(body[begin:end], kinds[entry["dtype"]]).reshape(entry["shape"])
            tensors[name] = torch.from_numpy(values.astype(np.float32))
    return tensors


def set_layers(network, layers):
    linear = [layer for layer in network if isinstance(layer, torch.nn.Linear)]
    for layer, (weight, bias) in zip(linear, layers):
        layer.weight.data, layer.bias.data = weight, bias


def load_networks(tensors):
    """zeroflow keeps the first layers in parts, and what it reads by column as
    [in, out]; time is the last row beside x_t."""
    features = len(tensors["gate.2.bias"])
    gates, field = blankets.make_gates("mlp", features, []), blankets.make_field(features)
    moving = tensors["field.0.weight_xt_in_out"].t()
    first = torch.cat([moving[:, :features], tensors["field.0.weight_f"],
                       tensors["field.0.weight_y"], tensors["field.0.weight_m_in_out"].t(),
                       moving[:, features:]], 1)
    rest = {net: [(tensors[f"{net}.{i}.weight"], tensors[f"{net}.{i}.bias"]) for i in (1, 2)]
            for net in ("gate", "field")}
    first_gate = tensors["gate.0.weight_in_out"].t()
    set_layers(gates, [(first_gate, tensors["gate.0.bias"]), *rest["gate"]])
    set_layers(field, [(first, tensors["field.0.bias"]), *rest["field"]])
    return gates, field


def compare_term(name, theirs, ours):
    """Means, and how many standard errors they are apart."""
    error = math.sqrt(theirs.var() / len(theirs) + ours.var() / len(ours))
    apart = abs(theirs.mean() - ours.mean()) / error
    return {"term": name, "zeroflow": float(ours.mean()), "PyTorch": float(theirs.mean()),
            "standard_errors": float(apart)}


def main():
    data_path, model_path, gates_path = sys.argv[1:]
    torch.manual_seed(0)
    torch.set_num_threads(1)
    tensors = read_model(model_path)
    gates, field = load_networks(tensors)
    names, data = blankets.read_data(data_path, "normal-scores")
    chances = blankets.target_chances(len(names), False)
    matrix = np.loadtxt(gates_path, delimiter=",", skiprows=1, usecols=range(1, len(names) + 1))
    off = np.abs(blankets.gate_matrix(gates, len(names)).numpy() - matrix).max()
    with torch.no_grad():
        drawn = [blankets.terms_of(gates, field, blankets.draw_batch(data, chances))
                 for _ in range(BATCHES)]
    terms = torch.tensor(drawn).double().numpy()
    history = tensors["history"][-LAST_ROWS:].double().numpy()
    report = [compare_term(name, terms[:, i], history[:, i + 1])
              for i, name in enumerate(("rectified", "zero"))]
    agree = off <= 1e-5 and all(term["standard_errors"] <= 5 for term in report)
    print(json.dumps({"gates_off_by": float(off), "terms": report, "agree": bool(agree)}))
    sys.exit(0 if agree else 1)


if __name__ == "__main__":
    main()
