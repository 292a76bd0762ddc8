# Crier as an image: the service alone, without development tools, as an unprivileged user.
#   docker build -t crier .
# Any Debian or Ubuntu with Node 24 and npm serves to build it (--build-arg BASE=...), and any of the same
# age without them to run it (RUNTIME=...). DATABASE=external leaves out PostgreSQL, for nodes that all
# have a DATABASE_URL.
ARG BASE=docker.io/library/node:24-slim
ARG RUNTIME=docker.io/library/debian:bookworm-slim

# The web app is built here, and the packages that the service offers are compiled, with tools that the
# service itself does not need.
FROM ${BASE} AS built
WORKDIR /crier
COPY package.json package-lock.json .npmrc tsconfig.json ./
COPY sdk sdk
COPY cli cli
COPY web web
COPY server/package.json server/
# The words of the checks, which the app and the service's pages share.
COPY server/src/campaigns/preflight/words server/src/campaigns/preflight/words
RUN npm install --no-save --ignore-scripts --omit=dev --include-workspace-root --workspace=web --workspace=sdk \
  && node sdk/build.mjs \
  && node node_modules/typescript/bin/tsc -p cli/tsconfig.build.json \
  && cd web && node ../node_modules/vite/bin/vite.js build --logLevel warn

FROM ${BASE} AS service
ARG DATABASE=embedded
# tini passes signals on and reaps what the embedded database leaves behind. Node's symbols are 18 MB.
RUN apt-get update && apt-get install -y --no-install-recommends tini binutils \
  && strip /usr/local/bin/node
WORKDIR /crier
COPY package.json package-lock.json .npmrc tsconfig.json ./
COPY sdk/package.json sdk/
COPY cli/package.json cli/
COPY server/package.json server/
# The image has a Node of its own, so the root package, which would bring another one, is left out. The
# packages of traces are optional peers, which npm does not install by itself.
RUN npm install --no-save --ignore-scripts --omit=dev --workspace=server --workspace=cli --workspace=sdk \
  $(node -p "Object.entries(require('./server/package.json').peerDependencies).map(([name, range]) => name + '@' + range.replace('^', '')).join(' ')")
COPY LICENSE README.md ./
COPY sdk sdk
COPY cli cli
COPY server server
COPY web/docs.css web/docs.js web/pages.css web/
COPY CHANGELOG.md ./
COPY docs/guides docs/guides
COPY docs/operate docs/operate
COPY docs/pictures docs/pictures
COPY --from=built /crier/web/dist web/dist
COPY --from=built /crier/sdk/dist sdk/dist
COPY --from=built /crier/cli/dist cli/dist
COPY scripts/compile.mjs scripts/shrink-packages.mjs scripts/
# Compiled once here, under the flags of ENTRYPOINT: the cache holds for the same flags alone.
RUN node scripts/shrink-packages.mjs $(test "$DATABASE" = embedded || echo --without-database) \
  && node --max-semi-space-size=8 --heap-growing-percent=40 scripts/compile.mjs \
  && chmod 0755 cli/bin.mjs

FROM ${RUNTIME}
COPY --from=service /usr/local/bin/node /usr/local/bin/node
COPY --from=service /usr/bin/tini-static /usr/bin/tini
RUN groupadd --gid 10001 crier \
  && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin crier \
  && install -d -o 10001 -g 10001 -m 0700 /data /data/files /backup \
  && ln -s /crier/cli/bin.mjs /usr/local/bin/crier
COPY --from=service /crier /crier
WORKDIR /crier

ENV NODE_ENV=production \
  MALLOC_ARENA_MAX=2 \
  HOST=0.0.0.0 \
  PORT=8080 \
  DATA_DIR=/data
USER 10001:10001
# The embedded database, keys and uploads. Mount a volume here, or they end with the container.
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.STATUS_PORT||process.env.PORT}/readyz`).then((r)=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["tini", "--", "node", "--max-semi-space-size=8", "--heap-growing-percent=40", "/crier/cli/bin.mjs"]
CMD ["serve"]
