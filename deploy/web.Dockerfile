FROM node:26-bookworm-slim AS build
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
COPY libs/service/package.json libs/service/
COPY libs/mcp/package.json libs/mcp/
COPY libs/objects/package.json libs/objects/
COPY libs/sdk/package.json libs/sdk/
COPY libs/testing/package.json libs/testing/
COPY web/package.json web/
RUN --mount=type=cache,target=/root/.npm npm ci
COPY libs/contracts libs/contracts
# The measurements that the pages show.
COPY docs/benchmarks docs/benchmarks
COPY gateway/golden gateway/golden
COPY web web
WORKDIR /app/web
# "/": the API answers at the page's own origin, through nginx.
RUN sed -i 's#name="tapeline-api" content="[^"]*"#name="tapeline-api" content="/"#' index.html \
  && VITE_ENVIRONMENT=production npx vite build --configLoader native

FROM nginx:1.29
COPY deploy/nginx.conf /etc/nginx/nginx.conf
COPY --from=build /app/web/dist /usr/share/nginx/html
ARG VERSION=0.3.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Tapeline web" \
  org.opencontainers.image.description="The pages of Tapeline, and the way from them to its gateway" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
USER 10001:10001
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --retries=12 CMD ["curl", "-fsS", "-o", "/dev/null", "http://127.0.0.1:8080/readyz"]
