# The server with PostgreSQL, traces, reports as PDF and the faster PDF reader. Every package is checked by its hash.
#
#   docker build -t deepresearch-server .
#   docker run -i --rm -v deepresearch:/data -e ANTHROPIC_API_KEY deepresearch-server       a client starts it so
#   docker run --rm --network host -v deepresearch:/data deepresearch-server serve --http   over HTTP, on Linux
#
# `serve --http` alone serves its own machine, with a token that it makes; a published port is not that machine's, hence
# --network host. A team is served with --host 0.0.0.0 once a token exists or an identity server is named: see
# docs/operating.md.

FROM python:3.13-slim-trixie AS build
WORKDIR /source
COPY locks ./locks
RUN python -m venv /opt/deepresearch \
 && /opt/deepresearch/bin/pip install --no-cache-dir --require-hashes --only-binary :all: \
    -r locks/run.txt -r locks/pdf.txt -r locks/postgres.txt -r locks/export.txt -r locks/otel.txt \
 && python -m pip install --no-cache-dir --require-hashes --only-binary :all: -r locks/build.txt
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
RUN python -m hatchling build -t wheel \
 && /opt/deepresearch/bin/pip install --no-deps --no-index dist/*.whl

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
ENTRYPOINT ["deepresearch-server"]
CMD ["serve"]
