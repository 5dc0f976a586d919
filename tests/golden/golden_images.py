"""Images resized by Pillow (9.4), and JPEG files as it writes and reads them.

resize: `input_K` [height, width, 3] and `output_K` [3, size, size], the largest
square in the middle by BILINEAR. images/: files of every kind that Pillow
writes, and in images.safetensors what it makes of them, at 16 pixels a side.
views: crops resized by PyTorch's interpolate.
"""
import numpy as np
from golden_common import HERE, write

SIZES = [(7, 5, 4), (5, 9, 8), (40, 31, 8), (16, 16, 16), (14, 14, 16), (3, 3, 16), (33, 80, 10),
         (1, 1, 4), (90, 3, 2), (2, 1, 3), (16, 21, 16)]


def square(image, size):
    from PIL import Image
    width, height = image.size
    side = min(width, height)
    left, top = (width - side) / 2, (height - side) / 2
    return image.resize((size, size), Image.BILINEAR, box=(left, top, left + side, top + side))


def planes(image):
    return np.asarray(image.convert("RGB")).transpose(2, 0, 1)


def scene(width, height):
    """Smooth and asymmetric, so that JPEG keeps it and a wrong turn shows."""
    y, x = np.mgrid[0:height, 0:width] / max(width, height)
    red, green, blue = 255 * x, 255 * y, 255 * (1 - x) * (1 - y)
    return np.stack([red, green, blue], -1).astype(np.uint8)


def jpegs(folder, expected):
    from PIL import Image, ImageOps
    colour = Image.fromarray(scene(48, 36))
    kinds = {"colour": (colour, {}), "progressive": (colour, {"progressive": True}),
             "grey": (colour.convert("L"), {}), "cmyk": (colour.convert("CMYK"), {})}
    for turn in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = turn
        kinds[f"turned{turn}"] = (colour, {"exif": exif})
    for name, (image, options) in kinds.items():
        image.save(folder / f"{name}.jpg", quality=90, **options)
        again = ImageOps.exif_transpose(Image.open(folder / f"{name}.jpg"))
        expected[name] = planes(square(again.convert("RGB"), 16))


def pngs(folder, expected):
    from PIL import Image
    values = scene(19, 23)
    colour = Image.fromarray(values)
    deep = (values[:, :, 0].astype(np.uint16) << 8) + values[:, :, 1]
    kinds = {"rgb": colour, "l": colour.convert("L"), "bits": colour.convert("1"),
             "palette": colour.quantize(11)}
    for name, image in kinds.items():
        image.save(folder / f"{name}.png")
        expected[name] = planes(square(image.convert("RGB"), 16))
    Image.fromarray(deep).save(folder / "deep.png")
    eight = Image.fromarray(np.round(deep / 257).astype(np.uint8))
    expected["deep"] = planes(square(eight.convert("RGB"), 16))
    alpha = np.arange(19 * 23).reshape(23, 19) % 256
    white = np.round((values * alpha[:, :, None] + 255.0 * (255 - alpha[:, :, None])) / 255)
    Image.fromarray(np.dstack([values, alpha.astype(np.uint8)])).save(folder / "rgba.png")
    expected["rgba"] = planes(square(Image.fromarray(white.astype(np.uint8)), 16))
    frames = [Image.fromarray(np.roll(values, 3 * k, 0)) for k in range(3)]
    frames[0].save(folder / "animated.png", save_all=True, append_images=frames[1:])
    expected["animated"] = planes(square(frames[0], 16))


def views():
    import torch
    random = np.random.RandomState(5)
    image = random.randint(0, 256, (3, 12, 12)).astype(np.float32)
    arrays = {"picture": image}
    for k, (top, left, height, width) in enumerate([(0, 0, 12, 12), (1, 2, 10, 9), (3, 0, 9, 12)]):
        crop = torch.from_numpy(image[None, :, top:top + height, left:left + width] / 255).double()
        arrays[f"crop_{k}"] = np.array([top, left, height, width])
        arrays[f"view_{k}"] = torch.nn.functional.interpolate(
            crop, (12, 12), mode="bilinear", align_corners=False)[0].numpy()
    write("views", arrays)


def make():
    from PIL import Image
    random = np.random.RandomState(3)
    arrays = {}
    for k, (width, height, size) in enumerate(SIZES):
        values = random.randint(0, 256, (height, width, 3)).astype(np.uint8)
        arrays[f"input_{k}"] = values
        arrays[f"output_{k}"] = planes(square(Image.fromarray(values), size))
    write("resize", arrays)
    folder, expected = HERE / "images", {}
    folder.mkdir(exist_ok=True)
    jpegs(folder, expected)
    pngs(folder, expected)
    write("images", expected)
    views()
