import type { feeds as english } from '../en/feeds.ts'

/** Why a feed cannot be read, by the words of the answer, which stay where none are here. */
const problems: Record<keyof typeof english.problems, string> = {
  'has an address that cannot be reached from here': 'Son adresse n’est pas joignable d’ici',
  'has a host name that does not exist': 'Le nom du serveur n’existe pas',
  'takes no connection': 'Le serveur n’accepte pas de connexion',
  'has no valid certificate': 'Le certificat n’est pas valide',
  'does not speak HTTP': 'Le serveur ne parle pas HTTP',
  'does not answer in time': 'Le serveur ne répond pas à temps',
  'sends on to an address that is none': 'Il renvoie à une adresse qui n’en est pas une',
  'is larger than 5 MB': 'Le flux dépasse 5 Mo',
  'ends before its end': 'La réponse s’interrompt avant la fin',
  'sends on from address to address': 'Il renvoie d’adresse en adresse',
  'is nested too deeply': 'Le flux est trop imbriqué',
  'has too many items': 'Le flux a trop d’articles',
  'is a web page: give the address of its feed':
    'C’est une page web : donnez l’adresse de son flux',
  'is no RSS, Atom or JSON Feed': 'Ce n’est ni RSS, ni Atom, ni JSON Feed',
  'is JSON with a fault': 'Le JSON est erroné',
  'is JSON, but no JSON Feed': 'C’est du JSON, mais pas un JSON Feed',
  'is no JSON': 'Ce n’est pas du JSON',
  'has no list where the mapping says':
    'Il n’y a pas de liste à l’endroit indiqué par la correspondance',
  'has no title and address where the mapping says':
    'Il n’y a ni titre ni adresse aux endroits indiqués par la correspondance',
}

const answers = 'answers '
const problemIn = (problem: string): string =>
  problem.startsWith(answers)
    ? `Le serveur répond ${problem.slice(answers.length)}`
    : ((problems as Record<string, string>)[problem] ?? problem)

export const feeds: typeof english = {
  title: 'Flux',
  all: 'Tous les flux',
  add: 'Nouveau flux',
  empty:
    'Aucun flux pour l’instant. Un flux envoie les nouveaux articles de votre blog par e-mail : chaque personne reçoit ce qui a paru depuis son dernier e-mail.',
  name: 'Nom',
  status: 'Statut',
  next: 'Prochain e-mail',
  issues: 'E-mails',
  states: {
    draft: 'Brouillon',
    awaiting_approval: 'En attente d’approbation',
    running: 'En cours',
    paused: 'En pause',
    broken: 'Illisible',
  },
  url: 'Adresse du flux',
  urlHint: 'Un flux RSS, Atom ou JSON, par exemple https://blog.example.com/feed.xml.',
  every: 'Fréquence',
  everies: {
    day: 'Chaque jour',
    week: 'Chaque lundi',
    month: 'Le premier du mois',
    times: 'À des heures fixes de la semaine',
  },
  at: 'Heure',
  times: 'Jours et heures',
  timesHint: 'Dans le fuseau horaire de votre entreprise.',
  weekday: (place) => `Jour ${place}`,
  timeOfDay: (place) => `Heure ${place}`,
  removeTime: (place) => `Supprimer l’heure ${place}`,
  addTime: 'Ajouter une heure',
  topic: 'Thème',
  noTopic: 'Aucun thème',
  segment: 'Segment',
  everybody: 'Toutes les personnes abonnées aux e-mails',
  subject: 'Objet',
  firstSubject: 'Nouveau : {{ item.title }}',
  firstHeading: 'Du nouveau sur notre blog',
  readOn: 'Lire la suite',
  max: 'Articles par e-mail, au plus',
  take: 'S’il y en a davantage',
  takes: { newest: 'Laisser les plus anciens de côté', unseen: 'Les envoyer la prochaine fois' },
  approve: 'Approbation',
  approvals: { once: 'Une fois, puis seulement en cas d’anomalie', each: 'Avant chaque e-mail' },
  beginWith: 'Articles antérieurs dans le premier e-mail',
  mail: 'E-mail',
  rule: 'Flux et calendrier',
  save: 'Enregistrer',
  saved: 'Flux enregistré',
  tabs: { issues: 'E-mails', edit: 'Modifier', start: 'Aperçu et démarrage' },
  preview: 'Prochain e-mail',
  recipients: (count, shown) =>
    `${shown} ${count < 2 ? 'personne le recevrait' : 'personnes le recevraient'} maintenant`,
  found: 'Derniers articles du flux',
  noPosts: 'Le flux n’a pas encore d’articles.',
  hosts: 'Les liens et images mènent à',
  hostsAbout: 'Un e-mail dont les liens ou images mènent ailleurs attend une approbation.',
  checks: 'Vérifications',
  firstAt: 'Premier e-mail',
  start: 'Démarrer',
  startText: (before) => {
    const except =
      before === 1
        ? ', sauf l’article le plus récent'
        : `, sauf les ${before} articles les plus récents`
    return `Dès maintenant, les nouveaux articles partent par e-mail. Ce qui est déjà dans le flux n’est pas envoyé${before > 0 ? except : ''}.`
  },
  startAgain: 'Démarrer avec ces modifications',
  waits: 'Ce démarrage attend une approbation',
  waitsAbout: 'Un assistant, un programme ou un autre membre souhaite le démarrer.',
  approveIt: 'Approuver et démarrer',
  bounds: 'Approuver dans des limites',
  boundsAbout: 'Un e-mail au-delà d’une limite attend une personne.',
  boundPeople: 'Destinataires par e-mail au plus',
  boundDays: 'Jours avant que chaque e-mail doive être approuvé',
  noBound: 'Laissez vide pour ne pas limiter.',
  refuse: 'Refuser',
  blocked: 'Corrigez d’abord ce qui est marqué en rouge.',
  nowRunning: 'Le flux est en cours',
  nowWaiting: 'Le démarrage attend une approbation',
  refused: 'Le démarrage a été refusé',
  pause: 'Mettre en pause',
  resume: 'Reprendre',
  delete: 'Supprimer le flux',
  deleted: 'Flux supprimé',
  deleteAbout: 'Ses e-mails et leurs résultats restent.',
  cancel: 'Annuler',
  failed: 'Cela n’a pas fonctionné',
  noIssues: 'Aucun e-mail pour l’instant.',
  number: 'N°',
  posts: 'Articles',
  sent: 'Envoyés',
  opened: 'Ouverts',
  clicked: 'Cliqués',
  unreadable: (problem) => `Le flux est illisible : ${problemIn(problem)}.`,
  broken: (problem) => `Le flux est illisible (${problemIn(problem)}). Crier continue d’essayer.`,
  problems,
  waiting: 'L’e-mail précédent n’est pas terminé : le suivant attend.',
  changed: 'Ces modifications prendront effet au prochain démarrage du flux.',
  pausedBecause: {
    stopped: 'En pause, car tous les envois, ou l’application qui l’a démarré, ont été arrêtés.',
    restored:
      'En pause, car une sauvegarde a été restaurée. À la reprise, les articles présents dans le flux comptent comme envoyés.',
  },
  waitsFor: {
    each: 'Chaque e-mail doit être approuvé',
    hosts: 'Nouvelles adresses de liens ou d’images',
    items: 'Nombre inhabituel d’articles',
    size: 'Taille inhabituelle',
    sender: 'Autre expéditeur',
    brand: 'L’apparence a changé',
    ended: 'L’approbation a pris fin',
  },
}
