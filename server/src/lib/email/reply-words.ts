/**
 * Words of mail servers, for answers without a meaningful status: Exim reports 5.0.0 and leaves out
 * its diagnostic code, others send three digits and a sentence.
 */
/**
 * - `hard`: the address accepts no mail and will not. It is suppressed.
 * - `soft`: it would accept mail at another time. Several in a row suppress it.
 * - `policy`: the remote server refuses us, not the person. The stream pauses.
 * - `unknown`: it failed for a reason that cannot be determined. Nothing follows.
 */
export type BounceKind = 'hard' | 'soft' | 'policy' | 'unknown'

const who = '(?:user|recipient|mailbox|address|account|person|addressee|email)'

// The order matters: texts about policy name the recipient as well, and must not suppress anyone.
// Each pattern takes time in proportion to the text, because nothing repeats without a limit.
const meanings: [words: RegExp, kind: BounceKind][] = [
  [/\bspam\b|\bblack-?list|\bblock-?list|\bblocked\b|\breputation\b|\bdnsbl\b|\brbl\b/i, 'policy'],
  [
    /\bdmarc\b|\bdkim\b|\bspf\b|unauthenticated|not authori[sz]ed|relay(?:ing)? (?:not |is )?(?:denied|permitted|prohibited)/i,
    'policy',
  ],
  [
    /sender (?:address )?(?:rejected|denied|verify|not allowed)|against .{0,20}polic|policy (?:violation|reasons?)/i,
    'policy',
  ],
  [
    /(?:mailbox|inbox|quota|storage|account).{0,40}\b(?:full|exceeded|over ?quota|exhausted)|over ?quota|insufficient (?:system )?storage|exceeded storage/i,
    'soft',
  ],
  [/user unknown|unknown (?:user|recipient|mailbox|address|local part)/i, 'hard'],
  [new RegExp(`\\b(?:no such|not a valid|invalid|non-?existent) (?:\\w+ )?${who}`, 'i'), 'hard'],
  [
    new RegExp(
      `\\b${who}\\b.{0,80}\\b(?:does ?n[o']t exist|does not exist|not found|(?:is )?unknown|no longer (?:exists|valid|active|available|in use)|(?:is |was |has been )?(?:disabled|deactivated|closed|terminated))`,
      'i',
    ),
    'hard',
  ],
  [
    /does ?n[o']t have an? .{1,80} account|no mailbox here by that name|recipient address rejected: access denied/i,
    'hard',
  ],
  [
    /unroutea?ble (?:mail )?(?:address|domain)|no such domain|(?:host|domain)(?: name)? (?:not found|lookup failure|does not exist)|nxdomain|mx records point to non-existent/i,
    'hard',
  ],
  [
    /\bexpired\b|retry time(?:out)? (?:not reached|exceeded)|retry timeout exceeded|delivery timed out|connection (?:timed out|refused)|temporar(?:y|ily)|too many|try again|deferred/i,
    'soft',
  ],
]

export function meaningOf(text: string): BounceKind {
  const line = text.replace(/\s+/g, ' ')
  return meanings.find(([words]) => words.test(line))?.[1] ?? 'unknown'
}
