/** The operations on files that come in: what each asks for, and a call of it that is fine. */
import type { Line } from './line.ts'

export const importLines: Record<string, Line> = {
  'import.create': {
    scope: 'audience:write',
    role: 'admin',
    sample: ({ word }) => ({ file_name: `${word}.csv` }),
  },
  'import.get': {
    scope: 'audience:read',
    role: 'viewer',
    sample: ({ import_id }) => ({ import_id }),
  },
  // Of imports that are so already: said again, each is fine.
  'import.confirm': {
    scope: 'audience:write',
    role: 'admin',
    sample: ({ import_id }) => ({ import_id }),
  },
  'export.create': {
    scope: 'audience:read',
    role: 'admin',
    sample: ({ word }) => ({ filter: { tag: word } }),
  },
  'contact.export': {
    scope: 'audience:read',
    role: 'admin',
    sample: ({ contact_id }) => ({ contact_id }),
  },
  'import.list': { scope: 'audience:read', role: 'viewer', sample: () => ({ limit: 1 }) },
  'import.pause': {
    scope: 'audience:write',
    role: 'admin',
    sample: ({ paused_import_id }) => ({ import_id: paused_import_id }),
  },
  'import.cancel': {
    scope: 'audience:write',
    role: 'admin',
    sample: ({ cancelled_import_id }) => ({ import_id: cancelled_import_id }),
  },
  'import.undo': {
    scope: 'audience:write',
    role: 'admin',
    sample: ({ undone_import_id }) => ({ import_id: undone_import_id }),
  },
}
