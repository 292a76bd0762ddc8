/**
 * Sends mail that is written as React components, such as those of React Email. The program brings
 * `react` and `@react-email/render`, which turns a component into HTML and text.
 *
 * @packageDocumentation
 */
import type { CallOptions } from './calls/rest.ts'
import { CrierError } from './errors/error.ts'
import type { EmailSendInput, EmailSendOutput, Operations } from './generated/operations.ts'

/** A React element, `<Receipt />`. */
export type MailElement = object

/** The fields of `email.send`, without those that the component gives. */
export type ReactMail = Omit<
  EmailSendInput,
  'html' | 'text' | 'template_id' | 'template_key' | 'variables'
> & { subject: string } & ({ to: string } | { contact_id: string })

/** The HTML of a component, and its plain text for programs that show none. */
export async function renderMail(element: MailElement): Promise<{ html: string; text: string }> {
  // biome-ignore lint/correctness/noUndeclaredDependencies: the program brings it, where it sends such mail.
  const { render } = await import('@react-email/render').catch((cause: unknown) => {
    const message = 'Mail as React components needs a renderer: npm install @react-email/render'
    throw Object.assign(new CrierError({ code: 'invalid_request', message }), { cause })
  })
  // Its own types, where they are installed, are those of one version of React.
  const node = element as never
  const [html, text] = await Promise.all([render(node), render(node, { plainText: true })])
  return { html, text }
}

/** Renders the component and sends it: `await sendReact(client, <Receipt />, { to, subject })`. */
export async function sendReact(
  client: { email: Pick<Operations['email'], 'send'> },
  element: MailElement,
  mail: ReactMail,
  options?: CallOptions,
): Promise<EmailSendOutput> {
  const content = await renderMail(element)
  return client.email.send({ ...mail, ...content } as EmailSendInput, options)
}
