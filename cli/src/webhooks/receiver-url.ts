import { CommandError } from '../failure.ts'

/** `localhost:3000/hooks` means http, since nobody types the scheme of their own machine. */
export function receiverUrl(text: string): string {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '') {
    const message = `"${text}" is no address to send to, such as http://localhost:3000/webhooks.`
    throw new CommandError('usage', message)
  }
  return url.href
}
