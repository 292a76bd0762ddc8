import type { Role } from '../../core/operation.ts'

/** What somebody with the role may do, after “to” or “could”. */
export const roleWords: Record<Role, string> = {
  viewer: 'see everything and change nothing',
  approver: 'see everything, and approve campaigns or refuse them',
  editor: 'work on forms, contacts, templates and drafts',
  admin: 'also send campaigns, and set up domains and webhooks',
  owner: 'do everything, members and settings included',
}
