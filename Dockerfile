# Node 24 is the newest long-term-support line that the tests are run on (the oldest is 20.19).
# "slim" is Debian: the same C library as where the tests run.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# With the optional packages: the compiler wants the types of those that the service loads only if they are there.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json nest-cli.json ormconfig.ts ./
COPY src src
COPY clients clients
RUN npm run build

# What runs, and nothing that only builds or tests. The optional packages are the embedded PostgreSQL (some 70 MB): in a
# container DATABASE_URL names a real one, and without it the service stops with a sentence that says so. And the canvas
# that OCR draws pages with: OCR=tesseract takes an image with both it and tesseract-ocr, tesseract-ocr-deu,
# and an init process (`docker run --init`), which clears away what is left of programs that had to be ended.
FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --omit=dev --omit=optional --no-audit --no-fund

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
# All that is ever written: content, and the keys of the demonstration issuer. The rest may be mounted read-only.
# (A folder of the host that is mounted here has to belong to user 1000.)
RUN install --directory --owner=node --group=node --mode=0700 /data
VOLUME /data
USER node
EXPOSE 3000
# Ready, not only alive: a container that cannot reach its database gets no requests.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# node itself, not npm: signals reach it, and SIGTERM lets requests in flight finish.
# The service lives on less than 100 MiB of heap; without a bound V8 lets garbage pile up for as long as there is memory.
CMD ["node", "--enable-source-maps", "--max-old-space-size=512", "--single-threaded-gc", "dist/src/main.js"]
