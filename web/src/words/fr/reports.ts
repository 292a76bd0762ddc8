import type { reports as english } from '../en/reports.ts'

/** The word for so many: from two on with an s. */
const s = (count: string, word: string) => (count === '0' || count === '1' ? word : `${word}s`)

export const reports: typeof english = {
  title: 'Rapports',
  csv: 'Télécharger en CSV',
  asTable: 'Afficher en tableau',
  period: 'Période',
  periods: { '30': '30 derniers jours', '90': '90 derniers jours', '365': '365 derniers jours' },
  growth: {
    title: 'Abonnés e-mail',
    subscribers: 'Abonnés',
    gained: 'Gagnés',
    lost: 'Perdus',
    net: 'Solde',
    day: 'Jour',
    week: 'Semaine du',
    label: (gained: string, lost: string) => `${gained} abonnés gagnés et ${lost} perdus`,
    lostBy: (unsubscribed: string, bounced: string, complained: string, stopped: string) =>
      `Perdus : ${unsubscribed} ${s(unsubscribed, 'désinscrit')}, ${bounced} ${s(bounced, 'rejeté')}, ${complained} ${s(complained, 'plainte')}, ${stopped} ${s(stopped, 'bloqué')} par vous.`,
    confirmed: (count: string) =>
      count === '0'
        ? 'Aucun des abonnés gagnés n’a confirmé par e-mail.'
        : count === '1'
          ? '1 des abonnés gagnés a confirmé par e-mail.'
          : `${count} des abonnés gagnés ont confirmé par e-mail.`,
    erased: (count: string) =>
      count === '1'
        ? '1 personne a été effacée pendant cette période et ne compte plus, même le jour de son inscription.'
        : `${count} personnes ont été effacées pendant cette période et ne comptent plus, même le jour de leur inscription.`,
  },
  campaign: {
    title: 'Campagne',
    choose: 'Campagne',
    compareWith: 'Comparer avec',
    nothing: 'aucune',
    none: 'Aucune campagne n’a encore été envoyée.',
    figure: 'Indicateur',
    this: 'Cette campagne',
    usual: (count: string) => `Moyenne des ${count} précédentes`,
    noUsual: 'Moyenne des précédentes',
    rates: {
      delivered: 'Distribués',
      bounced: 'Rejetés',
      opened: 'Ouverts (hors robots)',
      clicked: 'Cliqués',
      unsubscribed: 'Désinscrits',
      complained: 'Plaintes',
    },
    sent: 'Envoyés',
    notReported: 'non signalé',
    gmail: 'Gmail ne signale pas les plaintes.',
    beyondChance: 'écart réel',
    withinChance: 'peut être dû au hasard',
    judged: (people: string, judged: string) =>
      `${people} ${people === '1' ? 'personne l’a' : 'personnes l’ont'} ouverte, sur ${judged} destinataires pour qui on peut le savoir.`,
    notJudged: (machines: string, untracked: string) =>
      `Inconnu : ${machines} dont la messagerie charge les images toute seule (Apple Mail), ${untracked} sans suivi.`,
    howJudged:
      'Une ouverture compte comme humaine si l’image est chargée par une messagerie ou par le proxy d’images de Gmail ou Yahoo, sauf dans les secondes qui suivent la distribution.',
    unsubscribes: 'Comment les personnes se sont désinscrites',
    ways: {
      one_click: 'Par le bouton de leur messagerie',
      page: 'Sur la page de désinscription',
      other: 'Autrement',
    },
    revenue: 'Chiffre d’affaires',
    orders: (orders: string, refunds: string) => `${orders} commandes, ${refunds} remboursements`,
    segments: 'Par segment',
    segmentsAbout:
      'D’après les personnes qui sont dans un segment maintenant. On peut être dans plusieurs.',
    segment: 'Nom du segment',
    opened: 'Ouverts',
    clicked: 'Cliqués',
    overTime: 'Ouvertures et clics dans le temps',
    overTimeLabel: (opened: string, clicked: string) =>
      `${opened} ouvertures et ${clicked} clics dans le temps`,
    time: 'Moment',
  },
  audience: {
    title: 'Votre audience',
    joined: 'Par mois d’arrivée et origine',
    month: 'Mois',
    before: 'Avant',
    sources: { api: 'Manuellement ou par API', import: 'Fichier importé', form: 'Formulaire' },
    source: 'Origine',
    contacts: 'Personnes',
    subscribed: 'Abonnés',
    engaged: 'Ouverture ou clic en 90 jours',
    notTracked: 'Sans suivi',
    staying: 'Combien restent',
    stayingAbout:
      'Parmi les personnes abonnées pour la première fois un mois donné : la part encore abonnée après autant de mois.',
    after: (months: string) => `Après ${months} mois`,
    none: 'Personne n’est encore arrivé.',
  },
}
