# The server with its models, PostgreSQL and the faster PDF reader.
#
#   docker build -t deepresearch-mcp .
#   docker run -i --rm -v deepresearch:/data -e ANTHROPIC_API_KEY deepresearch-mcp        a client starts it so
#   docker run --rm --network host -v deepresearch:/data deepresearch-mcp serve --http    over HTTP, on Linux
#
# It has no sign-in and so serves its own machine alone, which a published port would not be: hence --network host.

FROM python:3.13-slim-trixie AS build
WORKDIR /source
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY src ./src
RUN python -m venv /opt/deepresearch \
 && /opt/deepresearch/bin/pip install --no-cache-dir --disable-pip-version-check \
    -c constraints.txt ".[models,pdf,postgres]"

FROM python:3.13-slim-trixie
RUN useradd --uid 10001 --create-home research \
 && install --directory --owner research --group research /data
COPY --from=build /opt/deepresearch /opt/deepresearch
COPY docker/health.py /opt/deepresearch/health.py
ENV PATH=/opt/deepresearch/bin:$PATH \
    DEEPRESEARCH_HOME=/data \
    PYTHONUNBUFFERED=1
# By number, as a cluster that lets no root in can tell only from that.
USER 10001
WORKDIR /data
VOLUME /data
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["python", "/opt/deepresearch/health.py"]
ENTRYPOINT ["deepresearch-mcp"]
CMD ["serve"]
