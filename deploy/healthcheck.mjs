// Exit 0 when the service in this container answers that it is ready. A service answers at /internal/health, the gateway at
// /health, where it speaks for all; for its own container it is enough that it answers.
const base = `http://127.0.0.1:${process.env.PORT ?? 8080}`;
const signal = AbortSignal.timeout(3_000);
const status = (path) =>
  fetch(base + path, { signal }).then(
    (answer) => answer.status,
    () => 0,
  );
const answered = await status('/internal/health');
process.exit(answered === 200 || (answered === 404 && (await status('/openapi.json')) === 200) ? 0 : 1);
