/** How long the inputs of patterns may be, and why no stranger's text comes to some. */
import { briefLimits } from 'crier-server/campaigns/writer/brief.ts'
import { limits } from 'crier-server/config.ts'
import { templateLimits } from 'crier-server/templates/source.ts'

/** Characters at most. A row of the table begins with one of these names. */
export const inputs: Record<string, number> = {
  /** A field of a call, before anything has looked at its length. */
  call: limits.toolCallBytes,
  /** A form that is posted, or a registration. */
  body: limits.bodyBytes,
  /** A path or a header: Node takes so much of them together. */
  header: 16 * 1024,
  /** A mail that comes back. */
  mail: limits.returnedMailBytes,
  /** What a provider tells of mail, or of texts. */
  hook: limits.providerEventBytes,
  smsHook: limits.smsHookBytes,
  /** A part of a template as it is written, and as it comes out. */
  template: templateLimits.bodyLength,
  rendered: templateLimits.renderedLength,
  /** What a brief says. */
  goal: briefLimits.length,
  /** What a language model answers. */
  answer: 256 * 1024,
  /** What a mail server or another service answers a request with. */
  reply: 64 * 1024,
  /** The records of a name. */
  dns: 64 * 1024,
  /** A setting of the operator, or a file beside the service. */
  setting: 10_000,
  /** A page or a name of this repository. */
  page: 64 * 1024,
  /** An argument or an answer of a program on a person's own machine. */
  own: 64 * 1024,
}

/** A row may begin with one of these instead: then its pattern is not tried. */
export const reasons: Record<string, string> = {
  ourPages: 'It reads the pages of docs/, which stand in this repository and are all short.',
  ourKeys: 'It takes the padding off base64 of 32 bytes that the program has just made.',
  ownAddress: 'It reads the URL that a person gives to a program on their own machine.',
}
