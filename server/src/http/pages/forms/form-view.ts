/** The pages of a hosted form: the form itself, its thanks, and the notice while it is closed. */
import { wordsIn } from '../../../core/recipient-words/languages.ts'
import type { FormField } from '../../../forms/form.ts'
import { guardLimits } from '../../../forms/guard/limits.ts'
import type { Problems } from '../../../forms/hosted/submit-hosted.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { challengePath } from './challenge-script.ts'
import { fieldView, idOf } from './field-view.ts'
import type { FormTexts } from './form-texts.ts'

/** Our own fields beside the business's, whose keys begin with a letter. */
export const ownFields = {
  token: '_page',
  proof: '_proof',
  trap: '_more',
  source: '_source_url',
} as const

export interface FormBody {
  fields: readonly FormField[]
  texts: FormTexts
  action: string
  token: string
  answers: Readonly<Record<string, string>>
  problems: Problems
  notice?: 'expired' | 'tryAgain' | 'tooMany' | 'sendHere' | undefined
  /** Whether the browser must solve a challenge, if it runs scripts. */
  isGuarded: boolean
}

export function formBody(body: FormBody): Html {
  const { fields, texts, action, token, problems, notice, isGuarded } = body
  const words = wordsIn(texts.language).form
  const context = { ...body, words }
  return html`<h1 dir="auto">${texts.title}</h1>
${texts.intro !== undefined && html`<p class="lead" dir="auto">${linesOf(texts.intro)}</p>`}
${notice && html`<p class="warning" role="alert" tabindex="-1" autofocus>${words[notice]}</p>`}
${problems.size > 0 && summary(fields, context)}
<form method="post" action="${action}" class="card"${isGuarded && html` data-bits="${guardLimits.proofBits}"`}>
<input type="hidden" name="${ownFields.token}" value="${token}">
${isGuarded && html`<input type="hidden" name="${ownFields.proof}" value="">`}
<div class="unseen" aria-hidden="true"><label>${words.leaveEmpty} <input name="${ownFields.trap}" tabindex="-1" autocomplete="off"></label></div>
${fields.map((field) => fieldView(field, context))}
<div class="actions"><button>${texts.submit ?? words.submit}</button></div>
${
  isGuarded &&
  html`<p role="status" class="fine" hidden>${words.wait}</p>
<script src="${challengePath}" defer></script>`
}
</form>`
}

type SummaryContext = Pick<FormBody, 'texts' | 'problems'> & {
  words: ReturnType<typeof wordsIn>['form']
}

/** The summary of errors. It takes the focus, and links to each field. */
function summary(fields: readonly FormField[], { texts, problems, words }: SummaryContext): Html {
  const lines = fields.flatMap((field) => {
    const problem = problems.get(field.key)
    if (!problem) return []
    return html`<li><a href="#${idOf(field)}"><span dir="auto">${texts.labelOf(field)}</span>: ${words[problem]}</a></li>`
  })
  return html`<div class="warning" role="alert" tabindex="-1" autofocus><h2>${words.problems}</h2>
<ul>${lines}</ul></div>`
}

interface ThanksContext {
  /** Whether the visitor's consent waits for a confirmation by mail. */
  asksToConfirm: boolean
}

export function thanksBody(texts: FormTexts, context: ThanksContext): Html {
  const words = wordsIn(texts.language).form
  const title = context.asksToConfirm ? words.confirmTitle : words.thanksTitle
  const paragraphs = thanksLines(texts, context).map(
    (text) => html`<p dir="auto">${linesOf(text)}</p>`,
  )
  return html`<h1>${title}</h1>
${paragraphs}`
}

/** The thanks to a visitor whose answers were accepted, paragraph by paragraph. */
export function thanksLines(
  { language, thanks }: FormTexts,
  { asksToConfirm }: ThanksContext,
): string[] {
  const words = wordsIn(language).form
  if (!asksToConfirm) return [thanks ?? words.thanksText]
  return thanks === undefined ? [words.confirmText] : [thanks, words.confirmText]
}

export function closedBody({ language }: FormTexts): Html {
  const words = wordsIn(language).form
  return html`<h1>${words.closedTitle}</h1>
<p>${words.closedText}</p>`
}

/** Preserves the line breaks that a business wrote. */
function linesOf(text: string): Html[] {
  return text.split('\n').map((line, n) => html`${n > 0 && html`<br>`}${line}`)
}
