import Module from 'node:module';

/**
 * Simulates the change to a user who cannot read the program: afterwards no module can be loaded. Before Node 22.15, it
 * refuses only CommonJS modules.
 */
let isChanged = false;
const found = new Set();
const refuse = (file) => {
  throw Object.assign(new Error(`EACCES: permission denied, open '${file}'`), { code: 'EACCES' });
};

Module.registerHooks?.({
  // Node searches for a package again when another module imports it.
  resolve(specifier, context, next) {
    const key = `${specifier} ${context.parentURL}`;
    if (isChanged && !found.has(key) && !Module.isBuiltin(specifier)) refuse(key);
    found.add(key);
    return next(specifier, context);
  },
  load: (url, context, next) => (isChanged ? refuse(url) : next(url, context)),
});

process.setgroups = process.setgid = () => undefined;
process.setuid = () => {
  isChanged = true;
  for (const extension of Object.keys(Module._extensions))
    Module._extensions[extension] = (_, file) => refuse(file);
};
