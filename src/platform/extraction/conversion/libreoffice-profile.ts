const SETTINGS: readonly (readonly [path: string, name: string, value: string | number | boolean])[] = [
  // No macros, whatever the file says about them.
  ['Office.Common/Security/Scripting', 'DisableMacrosExecution', true],
  ['Office.Common/Security/Scripting', 'MacroSecurityLevel', 3],
  ['Office.Common/Security/Scripting', 'CheckDocumentEvents', true],
  // 0 in Writer and 1 in Calc mean never. Pictures of fills, backgrounds and bullets are read nevertheless: see sandbox.ts.
  ['Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', true],
  ['Office.Writer/Content/Update', 'Link', 0],
  ['Office.Writer/Content/Update', 'Field', false],
  ['Office.Calc/Content/Update', 'Link', 1],
];

/** The settings of each new profile (registrymodifications.xcu). */
export const PROFILE = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
${SETTINGS.map(([path, name, value]) => `<item oor:path="/org.openoffice.${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`).join('\n')}
</oor:items>
`;
