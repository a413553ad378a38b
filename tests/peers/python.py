"""A peer on the official Python SDK: a server over HTTP, and a client of the old HTTP+SSE transport.

python.py serve streamable-http|sse PORT      serves on loopback until it is killed
python.py client sse|http MODE URL            lists the tools, calls them, prints one line for each outcome
"""

import sys

import anyio
from mcp.client import Client
from mcp.client.sse import sse_client
from mcp.server.mcpserver import Context, MCPServer

server = MCPServer("python-peer")


@server.tool()
def echo(text: str) -> str:
    """Gives the text back."""
    return text


@server.tool()
async def count(ctx: Context, steps: int = 3) -> str:
    """Counts, with progress."""
    for step in range(1, steps + 1):
        await anyio.sleep(0.005)
        await ctx.report_progress(step, steps, f"step {step}")
    return f"counted to {steps}"


@server.tool()
def fail() -> str:
    """Always fails."""
    raise ValueError("it failed, as told")


async def converse(kind: str, mode: str, url: str) -> None:
    steps = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        steps.append(message)

    async with Client(sse_client(url) if kind == "sse" else url, mode=mode) as client:
        print("protocol", client.protocol_version)
        print("tools", [tool.name for tool in (await client.list_tools()).tools])
        for name, given in [("echo", {"text": "héllo ✓ \u2028"}), ("count", {"steps": 5}), ("fail", {}), ("nothing", {})]:
            try:
                result = await client.call_tool(name, given, progress_callback=progress)
                print("ok", name, result.is_error, [getattr(part, "text", None) for part in result.content])
            except Exception as error:
                print("error", name, error)
    print("progress", steps)


match sys.argv[1:]:
    case ["serve", kind, port]:
        server.run(kind, host="127.0.0.1", port=int(port))
    case ["client", kind, mode, url]:
        anyio.run(converse, kind, mode, url)
    case _:
        sys.exit(__doc__)
