import './register-typescript.mjs';
import globalSetup from './global-setup.mjs';

/** globalSetup of jest for the suite on Citus. */
export default async function citusSetup() {
  const url = process.env.CITUS_DATABASE_URL;
  if (url) {
    process.env.TEST_DATABASE_URL = url;
  } else {
    const { CitusCluster } = await import('../servers/citus-cluster.ts');
    globalThis.citusCluster = await CitusCluster.start();
    process.env.TEST_DATABASE_URL = globalThis.citusCluster.url;
  }
  try {
    await globalSetup();
    if (process.env.TEST_DISTRIBUTED !== 'true')
      throw new Error('CITUS_DATABASE_URL is not the URL of a coordinator of Citus with workers.');
  } catch (error) {
    await globalThis.testServer?.stop();
    await globalThis.citusCluster?.stop();
    throw error;
  }
}
