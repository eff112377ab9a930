import './register-typescript.mjs';
import globalSetup from './global-setup.mjs';

/** globalSetup of jest for the suite through PgBouncer. */
export default async function pgbouncerSetup() {
  const { PgBouncer, lookupStatements, randomPassword } = await import('../servers/pgbouncer.ts');
  const { runAsAdmin } = await import('../database-nodes.ts');
  try {
    await globalSetup();
    const url = process.env.TEST_TEMPLATE_OWNER_URL;
    const password = randomPassword();
    await runAsAdmin(url, ...lookupStatements(password));
    globalThis.testPooler = await PgBouncer.start(url, { password });
    process.env.TEST_POOLER_PORT = String(globalThis.testPooler.port);
    process.env.TEST_POOLER_PASSWORD = password;
  } catch (error) {
    await globalThis.testPooler?.stop();
    await globalThis.testServer?.stop();
    throw error;
  }
}
