import type { Contact } from '../contact.ts'

/**
 * Changes with each change of a contact. It is the time of the last one, in milliseconds since 1970,
 * because a counter would be one more column that millions of imported rows write.
 */
export const versionOf = ({ updatedAt }: Pick<Contact, 'updatedAt'>): number => updatedAt.getTime()
