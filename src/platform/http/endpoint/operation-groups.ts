/** The groups of operations, in the order in which they tell what the service is for: what is filed, then who by. */
export const TAGS = {
  Files:
    'Numbered containers that documents are filed into. A file is open or closed; a closed one stays as it is.',
  Documents:
    'Documents with their values and their content: created by upload, filed into any number of files, archived, put into the bin, restored, found.',
  'File types': 'What kinds of files there are.',
  'Document types': 'What kinds of documents there are: named schemas of typed fields.',
  Tags: 'Words that documents are marked with.',
  'Saved views': 'Document filters that a user keeps under a name, for that user alone.',
  Confidentiality: 'Confidential documents: for all but the users on their list they do not exist.',
  Me: 'The tenants of the caller, and in each who the caller is and may do what.',
  Notifications: 'What happened that concerns the caller.',
  Members: 'Who belongs to the tenant, each with one role.',
  Roles: 'Lists of permissions. The built-in ones cannot be changed.',
  Invitations: 'How people become members by e-mail address.',
  'Access grants': 'Access to files beyond what a role allows, for a member or a role.',
  'Audit log': 'Every change, with who made it and when. Nobody can change or remove an entry.',
  Settings: 'The slug that the tenant is addressed by.',
  Service: 'What lies outside tenants and needs no token.',
} as const;

export type Tag = keyof typeof TAGS;
