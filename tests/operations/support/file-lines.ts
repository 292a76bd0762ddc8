/**
 * The operations on files (imports, exports, pictures) and on templates: the required rights, and a valid
 * call of each.
 */
import { smallPng } from '../../images/pictures.ts'
import type { Line } from './line.ts'

export const fileLines: Record<string, Line> = {
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
  // These imports are already in the operation's final state, where a repeated call succeeds.
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
  'template.gallery': { scope: 'messaging:send', role: 'viewer', sample: () => ({ key: 'sale' }) },
  'template.list': { scope: 'messaging:send', role: 'viewer', sample: () => ({ limit: 1 }) },
  'template.save': {
    scope: 'messaging:send',
    role: 'editor',
    sample: ({ word }) => ({ name: `${word} template`, subject: word, text: `${word} text` }),
  },
  'template.convert': {
    scope: 'messaging:send',
    role: 'viewer',
    sample: ({ word }) => ({ html: `<p>${word}</p>` }),
  },
  'template.preview': {
    scope: 'messaging:send',
    role: 'viewer',
    sample: ({ word, contact_id }) => ({ contact_id, subject: word, text: `${word} text` }),
  },
  'template.results': {
    scope: 'messaging:send',
    role: 'viewer',
    sample: ({ template_id }) => ({ template_id }),
  },
  'report.growth': { scope: 'audience:read', role: 'viewer', sample: () => ({}) },
  'report.audience': { scope: 'audience:read', role: 'viewer', sample: () => ({}) },
  'report.campaign': {
    scope: 'messaging:send',
    role: 'viewer',
    sample: ({ campaign_id, segment_id }) => ({ campaign_id, segment_ids: [segment_id] }),
  },
  'report.compare': {
    scope: 'messaging:send',
    role: 'viewer',
    sample: ({ campaign_id, other_campaign_id }) => ({
      campaign_ids: [campaign_id, other_campaign_id],
    }),
  },
  'template.get': {
    scope: 'messaging:send',
    role: 'viewer',
    sample: ({ template_id }) => ({ template_id }),
  },
  'template.delete': {
    scope: 'messaging:send',
    role: 'editor',
    sample: ({ doomed_template_id }) => ({ template_id: doomed_template_id }),
  },
  'template.versions': {
    scope: 'messaging:send',
    role: 'viewer',
    sample: ({ template_id }) => ({ template_id }),
  },
  'image.upload': {
    scope: 'messaging:send',
    role: 'editor',
    sample: ({ word }) => ({ data: smallPng(word), file_name: `${word}.png`, alt: word }),
  },
  'image.list': { scope: 'messaging:send', role: 'viewer', sample: () => ({ limit: 1 }) },
  'image.delete': {
    scope: 'messaging:send',
    role: 'editor',
    sample: ({ doomed_image_id }) => ({ image_id: doomed_image_id }),
  },
}
