/** What is answered to a keyword. Each fits one text where the business's name is short. */
import type { Texting } from '../accounts/businesses/business.ts'
import { parseMailbox } from '../lib/email/mailbox.ts'
import { withoutEnd } from '../lib/text/trim-end.ts'

export function stopAnswer({ name }: Texting): string {
  return `${name}: You will get no more texts from this number. Reply START to get them again.`
}

export function startAnswer({ name }: Texting): string {
  return `${name}: You will get our texts again. Reply HELP for help, STOP to end.`
}

/** `sms_help` says how to reach the business; without it the address of its mail does. */
export function helpAnswer({ name, help, sender }: Texting): string {
  const contact = help ?? (sender === null ? undefined : `Write to ${parseMailbox(sender).address}`)
  const words = contact === undefined ? '' : `${withoutEnd(contact, /[.\s]/)}. `
  return `${name}: ${words}Reply STOP to end texts from this number.`
}
