from tests.wires import Scripted, serve
async def test_x():
    async with serve(Scripted(lambda r: "hi")) as u: assert u
