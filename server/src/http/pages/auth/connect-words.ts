/** The words of the pages on which a person connects an app, and of the page of the first start. */
import type { MailLanguage } from '../../../accounts/businesses/mail-language.ts'
import type { Role, Scope } from '../../../core/operation.ts'

export const connectWords = (language: MailLanguage): ConnectWords =>
  ({ en: english, de: german, fr: french })[language]

export const setupWords = (language: MailLanguage): SetupWords =>
  ({ en: englishSetup, de: germanSetup, fr: frenchSetup })[language]

interface ScopeWords {
  text: string
  /** A reason for caution, shown with a mark. */
  careful?: string
}

const english = {
  title: 'Connect an app',
  heading: (name: string) => ['“', name, '” wants to access your account'],
  nameless: 'An app without a name',
  /** Around the place, which is shown in bold. */
  redirects: ['It redirects you to ', ', '],
  notes: {
    program: 'a program on this computer',
    website: 'a website',
    app: 'an app on this device',
  },
  unverified:
    'The app chose this name itself; it is not verified. Continue only if you just came from this app.',
  able: 'It will be able to',
  mayDo: 'What may it do?',
  always: 'always',
  sensitive: 'Sensitive permission',
  sensitiveMark: 'Sensitive: ',
  scopes: {
    'meta:read': { text: 'See your businesses and their usage' },
    'forms:read': { text: 'See your forms' },
    'forms:write': { text: 'Make and change forms, and submit them' },
    'audience:read': { text: 'See your contacts and what they answered' },
    'audience:write': {
      text: 'Add, change and erase contacts',
      careful: 'what is erased is gone for good',
    },
    'messaging:send': { text: 'Send email and SMS', careful: 'real people get them' },
    'provisioning:write': {
      text: 'Set up sender domains and webhooks',
      careful: 'they decide where data goes',
    },
  } as Record<Scope, ScopeWords>,
  roles: {
    owner: 'owner',
    admin: 'admin',
    editor: 'editor',
    approver: 'approver',
    viewer: 'viewer',
  } as Record<Role, string>,
  perDay: 'How many people may it write to in a day without asking?',
  perDayHelp:
    'In each business, for receipts, password resets and similar messages. With a limit of 100 or less, the same message goes to at most 50 people. Campaigns wait for a person, unless an owner has allowed more. You can change this later under Connections.',
  perDayFault: (most: number) =>
    `People it may write to in a day: a whole number from 0 to ${most}.`,
  sees: 'What does it see of people?',
  seesMasked: ['Names, with masked addresses and numbers', 'such as a…@example.com and +41…67'] as [
    string,
    string,
  ],
  seesFull: ['Names, addresses and numbers', 'it can pass them on'] as [string, string],
  seesHelp:
    'Masking applies to assistants. A program that uses the API (REST) or a webhook sees everything that its permissions allow.',
  takesOut: 'May it take data out of Crier?',
  takesOutMeans: 'Export contacts, send events to new addresses, remove sender domains',
  takesOutHelp: 'Otherwise it asks and sends you a link to the page where you do it yourself.',
  reach:
    'It can access the businesses you are in now, but not those you join later, unless you connect it again. You can revoke access at any time.',
  noBusiness: 'You are not a member of a business yet, so it cannot access any.',
  canAccess: 'It can access',
  cancel: 'Cancel',
  continueAs: (email: string) => `Continue as ${email}`,
  otherAddress: 'Use another address',
  ended: 'Your sign-in has ended. Ask for a link to go on.',
  connected: 'Connected',
  notConnected: 'Not connected',
  back: ['Taking you back to ', '.'],
  go: 'Continue',
  newcomer: 'You are new here. You get a business of your own, and the app can access it.',
  elsewhere: [
    'You are about to connect it as ',
    ', in a different browser from the one that requested the link.',
  ],
  atMost: (people: string) =>
    `Transactional messages to at most ${people} people in 24 hours, in each business.`,
  masked: 'An assistant sees names, with masked addresses and numbers.',
  whole: 'It sees names, addresses and numbers.',
  lets: 'It may take data out of Crier.',
  keeps: 'It takes no data out of Crier without asking.',
  connect: 'Connect',
  code: 'Code from the first tab',
  codeHelp:
    'The tab that says “Check your email” shows six digits. If you have no such tab, stop: someone else requested this.',
}

export type ConnectWords = typeof english

const german: ConnectWords = {
  title: 'App verbinden',
  heading: (name) => ['„', name, '“ möchte auf Ihr Konto zugreifen'],
  nameless: 'Eine App ohne Namen',
  redirects: ['Die App leitet Sie weiter zu ', ', '],
  notes: {
    program: 'einem Programm auf diesem Computer',
    website: 'einer Website',
    app: 'einer App auf diesem Gerät',
  },
  unverified:
    'Diesen Namen hat sich die App selbst gegeben; er ist nicht geprüft. Fahren Sie nur fort, wenn Sie gerade aus dieser App kommen.',
  able: 'Die App darf dann',
  mayDo: 'Was darf die App?',
  always: 'immer',
  sensitive: 'Heikle Berechtigung',
  sensitiveMark: 'Heikel: ',
  scopes: {
    'meta:read': { text: 'Ihre Unternehmen und deren Nutzung sehen' },
    'forms:read': { text: 'Ihre Formulare sehen' },
    'forms:write': { text: 'Formulare anlegen, ändern und absenden' },
    'audience:read': { text: 'Ihre Kontakte und deren Antworten sehen' },
    'audience:write': {
      text: 'Kontakte hinzufügen, ändern und löschen',
      careful: 'was gelöscht ist, kommt nicht wieder',
    },
    'messaging:send': {
      text: 'E-Mails und SMS senden',
      careful: 'echte Menschen bekommen sie',
    },
    'provisioning:write': {
      text: 'Absenderdomains und Webhooks einrichten',
      careful: 'sie entscheiden, wohin Daten gehen',
    },
  },
  roles: {
    owner: 'Inhaber',
    admin: 'Administrator',
    editor: 'Bearbeiter',
    approver: 'Freigeber',
    viewer: 'Leser',
  },
  perDay: 'Wie vielen Personen darf die App an einem Tag ohne Nachfrage schreiben?',
  perDayHelp:
    'In jedem Unternehmen, für Belege, neue Passwörter und Ähnliches. Bei einer Grenze bis 100 geht dieselbe Nachricht an höchstens 50 Personen. Kampagnen gibt immer eine Person frei, außer ein Inhaber hat mehr erlaubt. Später lässt sich das unter „Verbindungen“ ändern.',
  perDayFault: (most) =>
    `Personen, denen die App an einem Tag schreiben darf: eine ganze Zahl von 0 bis ${most}.`,
  sees: 'Was sieht die App von Personen?',
  seesMasked: ['Namen, mit gekürzten Adressen und Nummern', 'wie a…@example.com und +41…67'],
  seesFull: ['Namen, Adressen und Nummern', 'die App kann sie weitergeben'],
  seesHelp:
    'Gekürzt wird für Assistenten. Ein Programm, das über die Programmierschnittstelle (REST) oder einen Webhook zugreift, sieht alles, was seine Berechtigungen erlauben.',
  takesOut: 'Darf die App Daten aus Crier herausgeben?',
  takesOutMeans:
    'Kontakte exportieren, Ereignisse an neue Adressen senden, Absenderdomains entfernen',
  takesOutHelp:
    'Sonst fragt die App und schickt Ihnen einen Link zu der Seite, auf der Sie es selbst tun.',
  reach:
    'Die App hat Zugriff auf die Unternehmen, in denen Sie jetzt Mitglied sind. Für spätere verbinden Sie die App neu. Den Zugriff können Sie jederzeit entziehen.',
  noBusiness: 'Sie gehören noch zu keinem Unternehmen, also hat die App auf keines Zugriff.',
  canAccess: 'Die App hat Zugriff auf',
  cancel: 'Abbrechen',
  continueAs: (email) => `Weiter als ${email}`,
  otherAddress: 'Andere Adresse verwenden',
  ended: 'Ihre Anmeldung ist abgelaufen. Fordern Sie einen Link an, um fortzufahren.',
  connected: 'Verbunden',
  notConnected: 'Nicht verbunden',
  back: ['Zurück zu ', '.'],
  go: 'Weiter',
  newcomer:
    'Sie sind neu hier. Sie bekommen ein eigenes Unternehmen, und die App hat darauf Zugriff.',
  elsewhere: [
    'Sie verbinden die App als ',
    ', in einem anderen Browser als dem, in dem der Link angefordert wurde.',
  ],
  atMost: (people) =>
    `Transaktionsnachrichten an höchstens ${people} Personen in 24 Stunden, in jedem Unternehmen.`,
  masked: 'Ein Assistent sieht Namen, mit gekürzten Adressen und Nummern.',
  whole: 'Die App sieht Namen, Adressen und Nummern.',
  lets: 'Die App darf Daten aus Crier herausgeben.',
  keeps: 'Die App gibt ohne Nachfrage keine Daten aus Crier heraus.',
  connect: 'Verbinden',
  code: 'Code aus dem ersten Tab',
  codeHelp:
    'Der Tab mit „Prüfen Sie Ihr Postfach“ zeigt sechs Ziffern. Gibt es keinen solchen Tab, brechen Sie ab: Jemand anderes hat das angefordert.',
}

const french: ConnectWords = {
  title: 'Connecter une application',
  heading: (name) => ['«\u00a0', name, '\u00a0» souhaite accéder à votre compte'],
  nameless: 'Une application sans nom',
  redirects: ['Elle vous renvoie vers ', ', '],
  notes: {
    program: 'un programme sur cet ordinateur',
    website: 'un site web',
    app: 'une application sur cet appareil',
  },
  unverified:
    'L’application a choisi ce nom elle-même, il n’est pas vérifié. Ne continuez que si vous venez de cette application.',
  able: 'Elle pourra',
  mayDo: 'Que peut-elle faire\u202f?',
  always: 'toujours',
  sensitive: 'Autorisation sensible',
  sensitiveMark: 'Sensible\u00a0: ',
  scopes: {
    'meta:read': { text: 'Voir vos entreprises et leur consommation' },
    'forms:read': { text: 'Voir vos formulaires' },
    'forms:write': { text: 'Créer, modifier et envoyer des formulaires' },
    'audience:read': { text: 'Voir vos contacts et leurs réponses' },
    'audience:write': {
      text: 'Ajouter, modifier et effacer des contacts',
      careful: 'ce qui est effacé l’est pour toujours',
    },
    'messaging:send': {
      text: 'Envoyer des e-mails et des SMS',
      careful: 'de vraies personnes les reçoivent',
    },
    'provisioning:write': {
      text: 'Configurer des domaines d’envoi et des webhooks',
      careful: 'ils décident où vont les données',
    },
  },
  roles: {
    owner: 'propriétaire',
    admin: 'administrateur',
    editor: 'éditeur',
    approver: 'approbateur',
    viewer: 'lecteur',
  },
  perDay: 'À combien de personnes peut-elle écrire par jour sans demander\u202f?',
  perDayHelp:
    'Dans chaque entreprise, pour les reçus, les mots de passe et les messages semblables. Avec une limite de 100 ou moins, un même message part à 50 personnes au plus. Les campagnes attendent une personne, sauf si un propriétaire a permis plus. Vous pourrez la changer dans Connexions.',
  perDayFault: (most) =>
    `Personnes à qui elle peut écrire par jour\u00a0: un nombre entier de 0 à ${most}.`,
  sees: 'Que voit-elle des personnes\u202f?',
  seesMasked: [
    'Les noms, avec des adresses et des numéros masqués',
    'comme a…@example.com et +41…67',
  ],
  seesFull: ['Les noms, les adresses et les numéros', 'elle peut les transmettre'],
  seesHelp:
    'Le masquage vaut pour les assistants. Un programme qui utilise l’API (REST) ou un webhook voit tout ce que ses autorisations permettent.',
  takesOut: 'Peut-elle sortir des données de Crier\u202f?',
  takesOutMeans:
    'Exporter des contacts, envoyer des événements à de nouvelles adresses, retirer des domaines d’envoi',
  takesOutHelp:
    'Sinon elle demande et vous envoie un lien vers la page où vous le faites vous-même.',
  reach:
    'Elle accède aux entreprises dont vous faites partie maintenant, pas à celles que vous rejoindrez plus tard, sauf si vous la reconnectez. Vous pouvez retirer l’accès à tout moment.',
  noBusiness: 'Vous ne faites encore partie d’aucune entreprise, elle n’accède donc à aucune.',
  canAccess: 'Elle accède à',
  cancel: 'Annuler',
  continueAs: (email) => `Continuer en tant que ${email}`,
  otherAddress: 'Utiliser une autre adresse',
  ended: 'Votre session est terminée. Demandez un lien pour continuer.',
  connected: 'Connectée',
  notConnected: 'Non connectée',
  back: ['Retour vers ', '.'],
  go: 'Continuer',
  newcomer:
    'Vous êtes nouveau ici. Vous recevez votre propre entreprise, et l’application y accède.',
  elsewhere: [
    'Vous allez la connecter en tant que ',
    ', dans un autre navigateur que celui qui a demandé le lien.',
  ],
  atMost: (people) =>
    `Messages transactionnels à ${people} personnes au plus par 24 heures, dans chaque entreprise.`,
  masked: 'Un assistant voit les noms, avec des adresses et des numéros masqués.',
  whole: 'Elle voit les noms, les adresses et les numéros.',
  lets: 'Elle peut sortir des données de Crier.',
  keeps: 'Elle ne sort pas de données de Crier sans demander.',
  connect: 'Connecter',
  code: 'Code du premier onglet',
  codeHelp:
    'L’onglet «\u00a0Consultez votre messagerie\u00a0» affiche six chiffres. Si vous n’avez pas cet onglet, arrêtez\u00a0: quelqu’un d’autre a fait cette demande.',
}

const englishSetup = {
  title: 'Set up',
  heading: 'Set up Crier',
  lead: 'You will be the first user, with your own business.',
  address: 'Your email address',
  business: 'Name of your business',
  later: 'You need the next two for campaigns. You can also set them later.',
  postalAddress: 'Postal address',
  postalAddressHelp: 'Shown in the footer of marketing email, as required by law.',
  sender: 'From address',
  senderHelp: 'At your own domain, for example hello@shop.example.',
  start: 'Start',
  once: 'This page works only once. After that, you sign in with a link sent to your email address.',
}

export type SetupWords = typeof englishSetup

const germanSetup: SetupWords = {
  title: 'Einrichten',
  heading: 'Crier einrichten',
  lead: 'Sie werden der erste Nutzer, mit Ihrem eigenen Unternehmen.',
  address: 'Ihre E-Mail-Adresse',
  business: 'Name Ihres Unternehmens',
  later: 'Die nächsten beiden brauchen Sie für Kampagnen. Sie lassen sich auch später angeben.',
  postalAddress: 'Postanschrift',
  postalAddressHelp: 'Steht im Fußbereich von Marketing-E-Mails, wie es das Gesetz verlangt.',
  sender: 'Absenderadresse',
  senderHelp: 'An Ihrer eigenen Domain, zum Beispiel hallo@laden.example.',
  start: 'Los geht’s',
  once: 'Diese Seite funktioniert nur einmal. Danach melden Sie sich mit einem Link an, der per E-Mail kommt.',
}

const frenchSetup: SetupWords = {
  title: 'Configurer',
  heading: 'Configurer Crier',
  lead: 'Vous serez le premier utilisateur, avec votre propre entreprise.',
  address: 'Votre adresse e-mail',
  business: 'Nom de votre entreprise',
  later:
    'Il vous faut les deux suivants pour vos campagnes. Vous pouvez aussi les indiquer plus tard.',
  postalAddress: 'Adresse postale',
  postalAddressHelp: 'Affichée en bas des e-mails marketing, comme la loi l’exige.',
  sender: 'Adresse d’expédition',
  senderHelp: 'Sur votre propre domaine, par exemple bonjour@boutique.example.',
  start: 'Commencer',
  once: 'Cette page ne fonctionne qu’une fois. Ensuite, vous vous connectez par un lien reçu par e-mail.',
}
