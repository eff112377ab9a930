import Module from 'node:module';

/**
 * Simulates the change to a user who cannot read the program: afterwards no module can be loaded, except ECMAScript
 * modules before Node 22.15.
 */
process.setgroups = process.setgid = () => undefined;
process.setuid = () => {
  const refuse = (file) => {
    throw Object.assign(new Error(`EACCES: permission denied, open '${file}'`), { code: 'EACCES' });
  };
  for (const extension of Object.keys(Module._extensions))
    Module._extensions[extension] = (_, file) => refuse(file);
  Module.registerHooks?.({ load: refuse });
};
