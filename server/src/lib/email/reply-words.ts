/**
 * The words of mail servers. A server's text becomes a line of plain words, in which phrases are
 * looked up: each phrase is one search through a text of bounded length, so strangers' text costs
 * time in proportion to its length. The order of the causes matters: in doubt a text is about the
 * sender, because then nobody is suppressed.
 */

/**
 * - `hard`: the address accepts no mail and will not. It is suppressed.
 * - `soft`: it would accept mail at another time. Several in a row suppress it.
 * - `policy`: the remote server refuses us, not the person. The stream pauses.
 * - `unknown`: it failed for a reason that cannot be determined. Nothing follows.
 */
export type BounceKind = 'hard' | 'soft' | 'policy' | 'unknown'

/**
 * - `recipient`: there is no such mailbox or domain, or it is closed.
 * - `mailbox`: the mailbox is full, busy, or takes no more mail for the moment.
 * - `temporary`: the remote system or the network failed, or asks to come back later.
 * - `authentication`: a record or header of the sender is missing or wrong.
 * - `sender`: its address, network or reputation is refused, or what it sends looks like spam.
 * - `rate`: it sends too much or too fast.
 * - `message`: this message is refused, for its size or form. Others of the sender are not.
 * - `route`: the server is not responsible for the domain, or the mail went round in circles.
 * - `unreachable`: no server answered, and the reason is open.
 */
export type BounceCause =
  | 'recipient'
  | 'mailbox'
  | 'temporary'
  | 'authentication'
  | 'sender'
  | 'rate'
  | 'message'
  | 'route'
  | 'unreachable'
  | 'unknown'

export const kindOfCause: Readonly<Record<BounceCause, BounceKind>> = {
  recipient: 'hard',
  mailbox: 'soft',
  temporary: 'soft',
  authentication: 'policy',
  sender: 'policy',
  rate: 'policy',
  message: 'policy',
  route: 'unknown',
  unreachable: 'unknown',
  unknown: 'unknown',
}

/** Stands for an address, whose own letters say nothing. */
const anAddress = '@'

/**
 * The text as lower-case words with single spaces, also at both ends: without accents,
 * punctuation, host names, links, and the codes that a reply of several lines repeats.
 */
export function plainWords(text: string): string {
  const words: string[] = []
  for (const token of text.split(/\s/)) {
    const bare = isReplyCode(token.slice(0, 4)) ? token.slice(4) : token
    if (bare.includes('://') || isHostName(bare)) continue
    const word = bare.includes('@') ? anAddress : lettersOf(bare)
    if (word !== '' && !isNumber(word)) words.push(word)
  }
  return ` ${words.join(' ')} `
}

/** Such as `550-`, which begins each line of a reply but the last one. */
function isReplyCode(start: string): boolean {
  const [class_ = '', ...rest] = start
  return (
    '245'.includes(class_) && rest.length === 3 && isDigits(start.slice(0, 3)) && rest[2] === '-'
  )
}

const isDigit = (letter: string) => letter >= '0' && letter <= '9'

function isDigits(text: string): boolean {
  for (const letter of text) if (!isDigit(letter)) return false
  return text !== ''
}

const isNumber = (word: string) => isDigits(word.replaceAll(' ', ''))

/** Host names have lower-case letters here; `RESOLVER.ADR.RecipientNotFound` is none. */
function isHostName(token: string): boolean {
  const name = withoutBrackets(token)
  if (!name.includes('.')) return false
  for (const letter of name) {
    if (!isDigit(letter) && !(letter >= 'a' && letter <= 'z') && letter !== '.' && letter !== '-') {
      return false
    }
  }
  const labels = name.split('.')
  const last = labels.at(-1) ?? ''
  return last.length >= 2 && !isDigit(last[0] ?? '') && labels.every((label) => label !== '')
}

const around = '[](){}<>"\',:;.'

function withoutBrackets(token: string): string {
  let [from, to] = [0, token.length]
  while (from < to && around.includes(token[from] ?? '')) from++
  while (to > from && around.includes(token[to - 1] ?? '')) to--
  return token.slice(from, to)
}

/** Letters and digits of any script, in lower case and without accents; the rest parts words. */
function lettersOf(token: string): string {
  let letters = ''
  let isApart = false
  for (const letter of token.toLowerCase().normalize('NFD')) {
    const code = letter.codePointAt(0) ?? 0
    // Accents, which stand behind their letter now, and apostrophes.
    if ((code >= 0x300 && code <= 0x36f) || letter === "'" || letter === '’') continue
    const isLetter = isDigit(letter) || (letter >= 'a' && letter <= 'z') || code >= 0xc0
    if (isLetter && isApart && letters !== '') letters += ' '
    isApart = !isLetter
    if (isLetter) letters += letter
  }
  return letters
}

/** Whether one of the phrases is in the words, which `plainWords` made. */
export function has(words: string, phrases: readonly string[]): boolean {
  return phrases.some((phrase) => words.includes(` ${phrase} `))
}

/** What a text is about. A cause that comes first outweighs those behind it. */
const phrasesOf: readonly (readonly [BounceCause, readonly string[]])[] = [
  // The recipient's mailbox is closed, in words that else speak of policy.
  [
    'recipient',
    [
      'recipient address rejected access denied',
      'recipient addresses rejected access denied',
      'blocked due to inactivity',
      'blocked for inactivity',
      'disabled due to inactivity',
    ],
  ],
  // What the recipient may receive for now, in words that else speak of the sender's rate.
  [
    'mailbox',
    [
      'receiving mail at a rate',
      'receiving email at a rate',
      'getting mail at a rate',
      'receiving mail too quickly',
      'receiving email too quickly',
      'receiving mail too fast',
      'receiving limit',
      'receiving limits',
      'message receive limit',
      'message receive limit from specific sender exceeded',
      'per hour message receive limit',
      'recipient thread limit',
      'too many messages on the server',
    ],
  ],
  [
    'rate',
    [
      'unusual rate',
      'unusual amount',
      'unusual sending activity',
      'rate limit',
      'rate limited',
      'rate limits',
      'ratelimited',
      'too many connections',
      'too many concurrent',
      'too many messages',
      'too many emails',
      'too many errors',
      'too many spams',
      'too many invalid recipients',
      'excessive unknown recipients',
      'trop de connexions',
      'slow down',
      'sending limit',
      'sending limits',
      'sending quota',
      'submission quota',
      'daily limit',
      'daily quota',
      'daily user sending',
      'relay limit',
      'outbound thread limit',
      'max message per connection',
      'messages per connection',
      'permitted limits',
      'exceeded threshold',
      'traffic not accepted',
      'temporarily limited',
      'reached your',
      'exceeded your',
      'hourly limit',
    ],
  ],
  // The form of this message: what its header lacks is the sender's, and is asked before.
  [
    'message',
    [
      'message size',
      'message too large',
      'message too big',
      'message is too large',
      'message exceeds',
      'maximum email size',
      'maximum message size',
      'size limit',
      'size limits',
      'sizelimit',
      'size exceeds',
      'limit of attachments',
      'header size',
      'header too big',
      'malformed',
      'rfc 2822',
      'rfc 5322',
      'rfc compliant',
      'rfc5322',
      'content conversion',
      'invalidcontent',
      'invalid characters',
      'unicode character',
      'encoded word syntax',
      'line too long',
      'duplicate headers',
      'missing a valid message id',
      'missing a valid address in the from',
      'multiple addresses in the from',
      'same message id',
      'potential security issue',
      'attachment not allowed',
      'file type',
      'taille limite du message',
      'nachricht ist zu gross',
    ],
  ],
  ['sender', ['invalid credentials', 'suspended due to abuse', 'relay spam policy']],
  [
    'route',
    [
      'relay access denied',
      'relaying denied',
      'relaying not allowed',
      'relaying disallowed',
      'relaying prohibited',
      'relay denied',
      'relay not permitted',
      'relaying is not permitted',
      'relay not allowed',
      'open relay',
      'unable to relay',
      'not permitted to relay',
      'too many hops',
      'hop count exceeded',
      'hops',
      'mail loop',
      'mail loop detected',
      'routing loop',
      'email loop',
      'loops back to myself',
    ],
  ],
  [
    'sender',
    [
      'sender',
      'senders',
      'sending domain',
      'sending ip',
      'sending ipv6',
      'sending account',
      'sending denied',
      'sent from your',
      'werent sent',
      'mail from',
      'multiple from',
      'from address',
      'from addresses',
      'from header',
      'envelope from',
      'return path',
      'reverse path',
      'emetteur',
      'expediteur',
      'absender',
      'absenders',
      'remitente',
      'mittente',
      'remetente',
      'your ip',
      'ip address',
      'ip client',
      'adresse ip',
      'this ip',
      'client host',
      'your network',
      'your server',
      'your domain',
      'your host',
      'your account',
      'helo',
      'ehlo',
      'bad outbound',
      'banned',
      'spam',
      'spams',
      'spamming',
      'junk',
      'junkmail',
      'unsolicited',
      'bulk',
      'blacklist',
      'blacklisted',
      'black list',
      'black listed',
      'blocklist',
      'blocklisted',
      'block list',
      'block listed',
      'denylist',
      'whitelist',
      'allow list',
      'allowedsenders',
      'notinallowedsenderslist',
      'liste noire',
      'bloquee',
      'bloques',
      'blocked',
      'blocking',
      'geblockt',
      'gesperrt',
      'reputation',
      'dnsbl',
      'rbl',
      'spamhaus',
      'dmarc',
      'dkim',
      'spf',
      'unauthenticated',
      'not authenticated',
      'authentication',
      'authentification',
      'authenticate',
      'authenticated',
      'credentials',
      'login',
      'password',
      'not authorized',
      'not authorised',
      'not authorization',
      'unauthorized',
      'unauthorised',
      'authorized senders',
      'policy',
      'policies',
      'richtlinien',
      'prohibited',
      'prohibits',
      'prohibition',
      'complaints',
      'suspicious',
      'phishing',
      'virus',
      'malware',
      'dangerous',
      'unsafe',
      'abuse',
      'spoofing',
      'permanently deferred',
      'connections will not be accepted',
      'connections not accepted',
      'connection rejected',
      'access denied',
      'access to this mail system',
      'content denied',
      'content rejected',
      'content policy',
      'due to content',
      'mail rejete',
      'message refuse',
      'message refused',
      'service refuse',
      'service refused',
      'dns ptr',
      'ptr record',
      'ptr resource',
      'reverse dns',
      'reverse hostname',
      'host network',
      'a problem occurred ask your postmaster',
    ],
  ],
  [
    'mailbox',
    [
      'over quota',
      'overquota',
      'quota exceeded',
      'quota exceeded for',
      'quotaexceeded',
      'quotaexceededexception',
      'exceeded quota',
      'exceeds quota',
      'exceeded the quota',
      'quota depasse',
      'quota full',
      'quota limit',
      'over storage',
      'out of storage',
      'no storage left',
      'out of space',
      'not enough space',
      'no space',
      'exceeded storage',
      'storage exceeded',
      'exceeded its storage',
      'exceeded allowed storage',
      'exhausted allowed storage',
      'storage limit',
      'storage allocation',
      'mailbox full',
      'mailbox is full',
      'mail box full',
      'inbox is full',
      'inbox full',
      'account is full',
      'user is full',
      'mailfolder is full',
      'mailbox quota',
      'mailbox size',
      'mailbox has exceeded',
      'mailbox exceeded',
      'boite pleine',
      'boite aux lettres pleine',
      'boite du destinataire pleine',
      'postfach ist voll',
      'postfach voll',
      'empfangers ist voll',
      'speichervolumen',
      'buzon lleno',
      'buzon esta lleno',
      'casella piena',
      'caixa cheia',
      'mailbox vol',
    ],
  ],
  [
    'temporary',
    [
      'insufficient system storage',
      'insufficient system resources',
      'too many recipients',
      'greylist',
      'greylisted',
      'greylisting',
      'graylisted',
      'grey listed',
      'verification in progress',
      'unverified address',
      'local error in processing',
      'temporary lookup failure',
      'temporary local problem',
      'temporary system problem',
      'internal server error',
      'server busy',
      'system busy',
      'temporarily',
      'temporary',
      'temporaire',
      'temporairement',
      'voruebergehend',
      'vorubergehend',
      'uberlastet',
      'ueberlastet',
      'deferred',
      'dns query failed',
    ],
  ],
  [
    'recipient',
    [
      'user unknown',
      'unknown user',
      'unknown recipient',
      'unknown mailbox',
      'unknown address',
      'unknown local part',
      'unknown here',
      'unknown to us',
      'recipient unknown',
      'mailbox unknown',
      'address unknown',
      'addressee unknown',
      'no such user',
      'no such recipient',
      'no such mailbox',
      'no such address',
      'no such person',
      'no such account',
      'no such addressee',
      'no such domain',
      'no such host',
      'no mailbox here',
      'no account here',
      'no account by that name',
      'not a valid user',
      'not a valid mailbox',
      'not a valid recipient',
      'not a valid address',
      'not a known user',
      'invalid recipient',
      'invalid mailbox',
      'invalid user',
      'invalid address',
      'invalid email',
      'invalid email address',
      'recipient invalid',
      'bad destination mailbox',
      'bad address',
      'bad recipient',
      'recipientnotfound',
      'exrecipnotfound',
      'user not found',
      'user not local',
      'recipient not found',
      'mailbox not found',
      'account not found',
      'address not found',
      'not found by smtp address lookup',
      'not listed in domino directory',
      'mailbox unavailable',
      'mailbox disabled',
      'mailbox closed',
      'account disabled',
      'account closed',
      'account deleted',
      'account expired',
      'account terminated',
      'account inactive',
      'user disabled',
      'user inactive',
      'user is inactive',
      'not our customer',
      'no longer on server',
      'no longer with',
      'no longer works',
      'no longer employed',
      'no longer here',
      'has moved to',
      'left the company',
      'left the organization',
      'null mx',
      'nullmx',
      'does not accept mail',
      'does not accept email',
      'domain does not exist',
      'domain doesnt exist',
      'domain not found',
      'unable to look up host',
      'host not found',
      'host unknown',
      'host or domain name not found',
      'name or service not known',
      'werent able to find the recipient domain',
      'nxdomain',
      'infodomainnonexistent',
      'domain name lookup failure',
      'point to non existent',
      'unrouteable address',
      'unroutable address',
      'unrouteable mail domain',
      'unroutable domain',
      'unrouteable domain',
      // French, German, Spanish, Italian, Portuguese, Dutch, Polish.
      'utilisateur inconnu',
      'destinataire inconnu',
      'adresse inconnue',
      'destinataire invalide',
      'boite inconnue',
      'lettres inconnue',
      'compte desactive',
      'compte a ete desactive',
      'compte ferme',
      'compte inexistant',
      'nexiste pas',
      'benutzer unbekannt',
      'empfanger unbekannt',
      'unbekannter benutzer',
      'unbekannter empfanger',
      'benutzer nicht bekannt',
      'benutzer existiert nicht',
      'postfach existiert nicht',
      'adresse existiert nicht',
      'empfanger existiert nicht',
      'postfach nicht gefunden',
      'usuario desconocido',
      'usuario inexistente',
      'usuario no existe',
      'destinatario desconocido',
      'cuenta no existe',
      'buzon no existe',
      'direccion no existe',
      'no tiene buzon',
      'utente sconosciuto',
      'utente inesistente',
      'casella inesistente',
      'destinatario sconosciuto',
      'usuario nao existe',
      'conta nao existe',
      'gebruiker onbekend',
      'onbekende gebruiker',
      'nieznany uzytkownik',
    ],
  ],
  [
    'unreachable',
    [
      'connection refused',
      'connection timed out',
      'no answer from host',
      'no route to host',
      'network is unreachable',
      'host is unreachable',
    ],
  ],
  [
    'temporary',
    [
      'try again',
      'please retry',
      'essayer plus tard',
      'reessayez',
      'expired',
      'retry timeout exceeded',
      'retry time not reached',
      'delivery timed out',
      'timed out',
      'too many',
      'resources unavailable',
    ],
  ],
]

/** Words for a mailbox, and what may follow them within a few words if it is gone. */
const mailboxes = new Set([
  ...'user recipient mailbox address account person addressee email inbox'.split(' '),
  anAddress,
])
const isGone = [
  'does not exist',
  'doesnt exist',
  'dont exist',
  'do not exist',
  'not exist',
  'non existent',
  'nonexistent',
  'not found',
  'not known',
  'unknown',
  'no longer exists',
  'no longer valid',
  'no longer active',
  'no longer available',
  'no longer in use',
  'not valid',
  'is invalid',
  'is disabled',
  'disabled',
  'deactivated',
  'suspended',
  'discontinued',
  'is inactive',
  'was deleted',
  'has been deleted',
  'been closed',
  'is closed',
  'terminated',
  'archived',
] as const
/** The most words between the two. */
const reach = 14

/** Such as `The email account that you tried to reach does not exist`. */
function isMailboxGone(words: string): boolean {
  const all = words.trim().split(' ')
  for (const [index, word] of all.entries()) {
    if (!mailboxes.has(word)) continue
    if (has(` ${all.slice(index + 1, index + 1 + reach).join(' ')} `, isGone)) return true
  }
  return false
}

/** `This user doesn't have a … account`. */
function hasNoAccount(words: string): boolean {
  const at = words.indexOf(' doesnt have a')
  return at >= 0 && words.slice(at, at + 100).includes(' account ')
}

/** The cause that a text names; undefined if its words say nothing. */
export function causeIn(words: string): BounceCause | undefined {
  for (const [cause, phrases] of phrasesOf) {
    // The sentences about a mailbox come where the phrases about it do, at their second place.
    if (cause === 'unreachable' && (isMailboxGone(words) || hasNoAccount(words))) return 'recipient'
    if (has(words, phrases)) return cause
  }
  return undefined
}
