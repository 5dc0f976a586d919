"""A hundred steps of AdamW on gradients that are given."""
import torch

from golden_common import normal, write

STEPS, SIZE = 100, 7


def make():
    torch.manual_seed(13)
    start = normal(SIZE)
    # Gradients of very different sizes, one of them always 0.
    gradients = normal(STEPS, SIZE) * torch.tensor([1e-4, 1e-2, 1, 1, 10, 1e3, 0]).double()
    gradients = gradients.float().double()
    w = start.clone().requires_grad_()
    optimiser = torch.optim.AdamW([w], lr=0.01, betas=(0.9, 0.99), eps=1e-8, weight_decay=0.05)
    path = []
    for gradient in gradients:
        w.grad = gradient.clone()
        optimiser.step()
        path.append(w.detach().clone())
    state = optimiser.state[w]
    write("adamw", {"start": start, "gradients": gradients, "path": torch.stack(path),
                    "first_moment": state["exp_avg"], "second_moment": state["exp_avg_sq"]})
