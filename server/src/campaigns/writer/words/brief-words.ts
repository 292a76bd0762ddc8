/**
 * The words by which a brief is read, by language. Each text is a list of phrases, separated by
 * commas; `*` stands for the rest of a word (`phrases.ts`).
 */
import type { Purpose } from '../../../templates/gallery/mail.ts'

export interface BriefWords {
  /** Words by which a text is recognised as one of this language. */
  common: string
  /** For each purpose: words that decide on it, and words that only point to it. */
  goals: Record<Purpose, readonly [strong: string, weak: string]>
  /** What is to be sent by itself, to each person in their own time. */
  automation: string
  /** How a question to the service begins, in place of a mail to be written. */
  questions: string
  /** Words of somebody who tells their readers something. */
  statements: string
  /** Words that make an order to a writer of the words before and after them. */
  orders: string
  /** Orders to a writer to tell people something. */
  tellings: string
  /** After these words, such as `tell us`, readers are to tell something. */
  insiders: string
  /** Words between two clauses of what people are told. */
  links: string
  /** Verbs after `that` by which it speaks of the people before it: `everyone that bought`. */
  relativeVerbs: string
  /** Words that ask a writer, or readers, for something. */
  requests: string
  /** What stands before the name of a thing: `we are hiring`. */
  leadIns: string
  /** What is said of a thing begins with them. */
  linkingVerbs: string
  /** Words that begin a whole sentence, and no name of a thing. */
  sentenceStarts: string
  /** Words that may stand in such an order. */
  withinOrders: string
  /** Words that begin a clause about the people whom an order names. */
  relatives: string
  /** Words between that clause and what they are to read: `that`. */
  conjunctions: string
  /** Clauses that say how to write. */
  wishes: string
  /** Clauses in which the author is not sure. */
  doubts: string
  /** The last word of an author who says who they are. */
  introductions: string
  /** Words of which a clause about the tone consists: `locker, bitte`. */
  tones: string
  /** What orders a writer to do something, at the beginning of a clause. */
  commands: string
  /** The people to whom a mail goes. */
  people: string
  /** Words that belong to the noun after them. */
  determiners: string
  /** What stands before a signature. */
  signatures: string
  /** What stands before the name of a speaker. */
  speakers: string
  /** What stands alone before a link. */
  linkLabels: string
  /** Nouns of places. */
  places: string
  /** What may stand before the name of a place. */
  beforePlaces: string
  /** Words that say nothing by themselves. */
  fillers: string
  /** What begins a sentence of a clause that cannot stand alone; empty where each can. */
  lead: string
  /** The heading of news whose sentence has no name for it. */
  heading: string
  /** The label of a link's button, where the gallery's mail has none. */
  button: string
  /** How a text message ends. */
  stop: string
}
