"""The masked autoencoder of the paper in PyTorch: ViT-Ti, patches of 4 x 4, three in
four of them masked, 32 x 32 pixels, batch 128, AdamW. Run by networks.py.

Written as its users write it (the published code, with one product for queries, keys
and values, and scaled_dot_product_attention), and left to torch.compile where the
variant says so. Batches are there already: what is timed is masking, network, loss,
gradient and optimiser. "own-attention" spells attention out, for versions whose fused
one is slower or absent.
"""

import torch
from torch import nn
from torch.nn import functional

BATCH, SIZE, PATCH, SEEN = 128, 32, 4, 16
PLACES = (SIZE // PATCH) ** 2


class Block(nn.Module):
    def __init__(self, dim, heads, words):
        super().__init__()
        self.heads, self.spelt_out = heads, "own-attention" in words
        self.norm1, self.norm2 = nn.LayerNorm(dim, eps=1e-6), nn.LayerNorm(dim, eps=1e-6)
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.rise, self.fall = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)

    def attend(self, x):
        n, tokens, dim = x.shape
        q, k, v = self.qkv(x).view(n, tokens, 3, self.heads, -1).permute(2, 0, 3, 1, 4).unbind(0)
        if self.spelt_out:
            weights = (q * (dim // self.heads) ** -0.5) @ k.transpose(-2, -1)
            y = weights.softmax(-1) @ v
        else:
            y = functional.scaled_dot_product_attention(q, k, v)
        return self.out(y.transpose(1, 2).reshape(n, tokens, dim))

    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.fall(functional.gelu(self.rise(self.norm2(x))))


class Autoencoder(nn.Module):
    def __init__(self, words):
        super().__init__()
        dim, narrow, values = 192, 128, 3 * PATCH * PATCH
        self.patch = nn.Linear(values, dim)
        self.first = nn.Parameter(0.02 * torch.randn(1, 1, dim))
        self.positions = nn.Parameter(0.02 * torch.randn(1, 1 + PLACES, dim))
        self.encoder = nn.Sequential(*(Block(dim, 3, words) for _ in range(12)))
        self.encoder_norm = nn.LayerNorm(dim, eps=1e-6)
        self.narrow = nn.Linear(dim, narrow)
        self.mask = nn.Parameter(0.02 * torch.randn(1, 1, narrow))
        self.decoder_positions = nn.Parameter(0.02 * torch.randn(1, PLACES, narrow))
        self.decoder = nn.Sequential(*(Block(narrow, 4, words) for _ in range(2)))
        self.decoder_norm = nn.LayerNorm(narrow, eps=1e-6)
        self.head = nn.Linear(narrow, values)

    def forward(self, images, noise):
        """The loss; the patches with the least noise are seen."""
        n, side = len(images), SIZE // PATCH
        patches = images.view(n, 3, side, PATCH, side, PATCH).permute(0, 2, 4, 1, 3, 5)
        patches = patches.reshape(n, PLACES, -1)
        order = noise.argsort(1)
        back = order.argsort(1)
        seen = order[:, :SEEN, None]
        x = self.patch(patches.gather(1, seen.expand(-1, -1, patches.shape[2])))
        x = x + self.positions[0, 1:][order[:, :SEEN]]
        first = (self.first + self.positions[:, :1]).expand(n, -1, -1)
        x = self.encoder_norm(self.encoder(torch.cat([first, x], 1)))
        x = self.narrow(x[:, 1:])
        x = torch.cat([x, self.mask.expand(n, PLACES - SEEN, -1)], 1)
        x = x.gather(1, back[:, :, None].expand(-1, -1, x.shape[2])) + self.decoder_positions
        predicted = self.head(self.decoder_norm(self.decoder(x)))
        masked = (back >= SEEN).float()
        return (((predicted - patches) ** 2).mean(-1) * masked).sum() / masked.sum()


def make_timed_step(variant):
    """A function that trains by one step."""
    torch.manual_seed(0)
    words = variant.split("+")
    network = Autoencoder(words)
    images = torch.rand(BATCH, 3, SIZE, SIZE)
    options = {word: True for word in ("foreach", "fused") if word in words}
    optimiser = torch.optim.AdamW(network.parameters(), lr=1e-3, weight_decay=0.05, **options)
    loss_of = torch.compile(network) if "compile" in words else network

    def step():
        optimiser.zero_grad(set_to_none=True)
        loss_of(images, torch.rand(BATCH, PLACES)).backward()
        optimiser.step()

    return step
