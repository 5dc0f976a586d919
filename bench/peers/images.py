"""Learning from images in PyTorch, as one writes it for a processor: the zero-flow
encoder and SimCLR of the paper's appendix F, at 32 x 32 pixels, batch 256, L = 512.

A step makes two views of every image (random resized crop and mirror by one
grid_sample for the batch, then noise), runs forward and backward, and updates. In
zero-flow the second sample is bootstrapped inside the batch, so encoder and decoder run
once here too.
"""

import torch
import torch.nn.functional as F
from torch import nn

IMAGES, BATCH, SIZE, DIM = 1024, 256, 32, 512
RATE, ZERO_WEIGHT, TEMPERATURE = 1e-3, 0.1, 0.1


def make_encoder():
    return nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(),
        nn.Conv2d(16, 16, 3, padding=1), nn.ReLU(),
        nn.Conv2d(16, 1, 3, padding=1), nn.Flatten(),
        nn.Linear(SIZE * SIZE, DIM),
    )


def make_decoder():
    return nn.Sequential(
        nn.Linear(DIM, 64 * 4 * 4), nn.Unflatten(1, (64, 4, 4)),
        nn.ConvTranspose2d(64, 32, 4, 2, 1, bias=False), nn.BatchNorm2d(32), nn.ReLU(),
        nn.ConvTranspose2d(32, 16, 4, 2, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU(),
        nn.ConvTranspose2d(16, 3, 4, 2, 1), nn.Sigmoid(),
    )


def make_velocity():
    return nn.Sequential(
        nn.Conv2d(10, 16, 3, padding=1), nn.ReLU(),
        nn.Conv2d(16, 16, 3, padding=1), nn.ReLU(),
        nn.Conv2d(16, 3, 3, padding=1),
    )


def draw_views(images, layout):
    """A random part of each image as the whole, mirrored or not, with noise."""
    n = len(images)
    area = 0.8 + 0.2 * torch.rand(n)
    ratio = torch.exp((2 * torch.rand(n) - 1) * 0.28768)
    width, height = (area * ratio).sqrt().clamp(max=1), (area / ratio).sqrt().clamp(max=1)
    mirror = (torch.rand(n) < 0.5).float() * 2 - 1
    place = torch.zeros(n, 2, 3)
    place[:, 0, 0], place[:, 0, 2] = width * mirror, (1 - width) * (2 * torch.rand(n) - 1)
    place[:, 1, 1], place[:, 1, 2] = height, (1 - height) * (2 * torch.rand(n) - 1)
    grid = F.affine_grid(place, images.shape, align_corners=False)
    views = F.grid_sample(images, grid, padding_mode="border", align_corners=False)
    return (views + 0.01 * torch.randn_like(views)).contiguous(memory_format=layout)


def zeroflow_loss(networks, x, y, other, t, joined):
    encoder, decoder, velocity = networks
    decoded, plane = decoder(encoder(y)), torch.ones_like(y[:, :1])
    t, x_other = t[:, None, None, None], x[other]
    moving = torch.cat([x + t * (x_other - x), y, decoded[other], t * plane], 1)
    middle = torch.cat([0.5 * (x + x_other), y, decoded, 0.5 * plane], 1)
    if joined:
        moved, still = velocity(torch.cat([moving, middle])).chunk(2)
    else:
        moved, still = velocity(moving), velocity(middle)
    return (moved - (x_other - x)).square().mean() + ZERO_WEIGHT * still.square().mean()


def simclr_loss(networks, x, y, joined):
    encoder, = networks
    codes = encoder(torch.cat([x, y])) if joined else torch.cat([encoder(x), encoder(y)])
    codes = F.normalize(codes)
    similarity = codes @ codes.T / TEMPERATURE
    similarity.fill_diagonal_(-torch.inf)
    return F.cross_entropy(similarity, torch.arange(2 * BATCH).roll(BATCH))


def make_timed_step(method, variant):
    """A function that trains by one step; which images does not matter to the time."""
    torch.manual_seed(0)
    words = variant.split("+")
    layout = torch.channels_last if "channels-last" in words else torch.contiguous_format
    makers = [make_encoder, make_decoder, make_velocity] if method == "zeroflow" else [make_encoder]
    networks = nn.ModuleList(maker() for maker in makers).to(memory_format=layout)
    options = {word: True for word in ("foreach", "fused") if word in words}
    optimiser = torch.optim.AdamW(networks.parameters(), lr=RATE, **options)
    data, joined = torch.rand(IMAGES, 3, SIZE, SIZE), "joined" in words

    def zeroflow(x, y):
        other, t = torch.randint(BATCH, (BATCH,)), torch.rand(BATCH)
        return zeroflow_loss(networks, x, y, other, t, joined)

    def simclr(x, y):
        return simclr_loss(networks, x, y, joined)

    forward = zeroflow if method == "zeroflow" else simclr
    if "compile" in words:
        forward = torch.compile(forward)

    def step():
        images = data[torch.randint(IMAGES, (BATCH,))]
        x, y = draw_views(images, layout), draw_views(images, layout)
        optimiser.zero_grad(set_to_none=True)
        forward(x, y).backward()
        optimiser.step()

    return step
