/** Guarded forms: the confirmations that they hold, and the challenge for a browser's script. */
import { type Id, newId } from 'crier-server/core/ids.ts'
import { isProof } from 'crier-server/forms/hosted-form.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Db } from 'crier-server/lib/db/types.ts'

export function solveChallenge(token: string): string {
  for (let n = 0; ; n++) {
    if (isProof(token, String(n))) return String(n)
  }
}

/** Adds a held confirmation of the contact, to an address that contains the business's word. */
export async function holdConfirmation(
  db: Db,
  businessId: Id<'business'>,
  held: { formId: Id<'form'>; contactId: Id<'contact'>; word: string },
): Promise<Id<'confirmation'>> {
  const id = newId('confirmation')
  const now = new Date()
  await db.run(sql`
    insert into confirmations (business_id, id, contact_id, address, source, made_contact, form_id,
      asked_at, created_at, held_at)
    values (${businessId}, ${id}, ${held.contactId}, ${`${held.word}@example.com`}, 'a form', false,
      ${held.formId}, ${now}, ${now}, ${now})
  `)
  return id
}
