/** Finds the fault of an SPF policy (RFC 7208). */
import { writingFault } from './txt.ts'

/** The texts that are meant as SPF policies. */
export function spfPolicies(texts: readonly string[]): string[] {
  return texts.filter((text) => /^[\s"'“]*v=spf1/i.test(text))
}

/** Our own sentence, or undefined if the only policy allows these mechanisms. */
export function spfFault(policies: readonly string[], mechanisms: string): string | undefined {
  const [policy = '', ...more] = policies
  if (more.length > 0) {
    // RFC 7208, section 4.5: receivers then ignore all of them.
    return `${policies.length} SPF records stand at this name, so that none counts: delete all but one.`
  }
  const writing = writingFault(policy)
  if (writing) return writing
  if (!/^v=spf1( |$)/i.test(policy)) return 'The value must begin with v=spf1 and a space.'
  const terms = policy.toLowerCase().split(/ +/).slice(1)
  const all = terms.findIndex((term) => /^[+~?-]?all$/.test(term))
  if (terms[all] === 'all' || terms[all] === '+all') {
    return 'It allows every server there is (+all).'
  }
  // Mechanisms after `all` are never reached.
  const reached = new Set(terms.slice(0, all < 0 ? undefined : all).map(withoutPlus))
  const lacking = mechanisms.split(' ').filter((part) => !reached.has(withoutPlus(part)))
  return lacking.length === 0 ? undefined : `It lacks ${lacking.join(' ')} before all.`
}

const withoutPlus = (term: string) => term.replace(/^\+/, '')
