/** What this business does with each event. */
import type { CrierEvent } from '@crier-mail/sdk'

export async function work(event: CrierEvent): Promise<void> {
  switch (event.type) {
    case 'form.submitted':
      console.log(`${event.id}: ${Object.keys(event.data.fields).join(', ')} were filled in`)
      break
    case 'contact.created':
      console.log(`${event.id}: ${event.data.contact_id} is new`)
      break
    default:
      // New event types may be added at any time, so an unknown type is not an error.
      console.log(`${event.id}: ${event.type}, nothing to do`)
  }
}
