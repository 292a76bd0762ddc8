import type { campaigns as english } from '../en/campaigns.ts'

/** Le nombre de personnes, tel que les phrases ci-dessous l’emploient. */
const people = (count: number) => `${number(count)} ${plural(count, 'personne', 'personnes')}`
const number = (value: number) => new Intl.NumberFormat('fr').format(value)
const listed = (names: string[]) => new Intl.ListFormat('fr').format(names)
const plural = (count: number, singular: string, others: string) =>
  new Intl.PluralRules('fr').select(count) === 'one' ? singular : others

export const campaigns: typeof english = {
  title: 'Campagnes',
  create: 'Nouvelle campagne',
  empty:
    'Aucune campagne pour l’instant. Décrivez le sujet de la première, et Crier rédige un brouillon.',
  none: 'Aucune campagne avec ce statut.',
  showAll: 'Afficher toutes les campagnes',
  all: 'Toutes',
  name: 'Nom',
  state: 'Statut',
  channel: 'Canal',
  channels: { email: 'E-mail', sms: 'SMS' },
  recipients: 'Destinataires',
  search: 'Rechercher par nom ou objet',
  noneFound: 'Aucune campagne ne correspond à cette recherche.',
  calendar: {
    title: 'Calendrier',
    list: 'Liste',
    before: 'Mois précédent',
    after: 'Mois suivant',
    now: 'Ce mois-ci',
    zone: (zone) => `Heures de ${zone}`,
    none: 'Rien n’est planifié pour ce mois.',
    drafts: 'Les brouillons sans date d’envoi sont dans la liste.',
  },
  list: {
    when: 'Date',
    opened: 'Taux d’ouverture',
    clicked: 'Taux de clic',
    actions: 'Copier',
    goesOut: (at) => `Planifiée pour le ${at}`,
    began: (time) => `Commencée ${time}`,
    sent: (time) => `Envoyée ${time}`,
    changed: (time) => `Modifiée ${time}`,
  },
  status: {
    draft: 'Brouillon',
    awaiting_approval: 'À approuver',
    scheduled: 'Planifiée',
    deployed: 'En cours d’envoi',
    paused: 'En pause',
    completed: 'Envoyée',
    cancelled: 'Annulée',
  },
  make: {
    title: 'Nouvelle campagne',
    brief: 'Quel est le sujet de la campagne ?',
    briefHint:
      'Une ou deux phrases, avec les prix, les horaires et les lieux. Vous obtenez un brouillon ; rien n’est envoyé.',
    own: 'Rédiger moi-même',
    gallery: 'Choisir un e-mail dans la galerie',
    galleryTexts: 'Choisir un SMS dans la galerie',
    subject: 'Objet',
    write: 'Rédiger un brouillon',
    start: 'Commencer un brouillon',
    firstBlocks: [
      { type: 'heading' as const, text: 'Un titre' },
      { type: 'text' as const, text: 'Bonjour {{ contact.first_name | default: "à tous" }},' },
    ],
  },
  notes: { title: 'À propos de ce brouillon', close: 'Compris' },
  refused: 'La campagne n’a pas été approuvée :',
  quoted: (text) => `« ${text} »`,
  steps: {
    label: 'Étapes',
    who: 'Destinataires',
    what: 'Contenu',
    check: 'Vérification',
    when: 'Envoi',
  },
  save: 'Enregistrer et continuer',
  who: {
    topic: 'Thème',
    topicHint:
      'Seules les personnes abonnées à ce thème, ou à tout, la reçoivent, et son lien de désinscription ne concerne que lui.',
    noTopic: 'Aucun thème',
    leaveOut: 'Exclure',
    without: 'Les personnes de ces segments',
    anyOf: 'Il suffit d’être dans l’un d’eux.',
    takenBy: (name, count) => `${name} en exclut ${count}`,
    names: 'Voir dix exemples',
    now: 'Selon les choix enregistrés',
    everyone: 'Tous les inscrits',
    segment: 'Des segments',
    filter: 'Un filtre',
    choose: 'Choisir des segments',
    noSegments:
      'Aucun segment pour l’instant. Filtrez vos contacts et enregistrez le filtre comme segment.',
    note: {
      email:
        'Seules les personnes qui ont accepté vos e-mails la reçoivent, quel que soit votre choix ici.',
      sms: 'Seules les personnes qui ont accepté vos SMS la reçoivent, quel que soit votre choix ici.',
    },
    wish: (wish) => `La demande était « ${wish} ». Choisissez de qui il s’agit.`,
    days: 'Exclure les personnes qui ont reçu une campagne au cours des … derniers jours',
  },
  what: {
    saved: 'Brouillon enregistré',
    language: 'Langue',
    firstLanguage: 'Texte principal',
    variant: 'Variante',
  },
  check: {
    people: (count) => `Destinataires : ${count}`,
    from: 'De',
    cost: 'Consommation',
    units: { emails: 'e-mails', sms: 'SMS' },
    left: (left) => `encore ${left} disponibles ce mois-ci`,
    excluded: 'Exclus',
    languages: 'Par langue',
    link: 'Un lien',
    toMail: 'Modifier l’e-mail',
    warmUp: {
      name: 'Préchauffage',
      days: (days) =>
        `environ ${days} ${days === '1' ? 'jour' : 'jours'} : les fournisseurs qui ne connaissent pas encore l’expéditeur reçoivent d’abord peu d’e-mails`,
      provider: (name, people, days) =>
        `${name} : ${people} ${people === '1' ? 'personne' : 'personnes'}, ${days} ${days === '1' ? 'jour' : 'jours'}`,
      first: 'Les personnes qui ont récemment ouvert ou cliqué la reçoivent en premier.',
    },
    reasons: {
      no_email: 'n’ont pas d’adresse e-mail',
      no_phone: 'n’ont pas de numéro de téléphone',
      not_subscribed: 'ne sont pas inscrits',
      invalid: 'ont une adresse qui ne peut pas recevoir d’e-mails',
      suppressed: 'sont bloqués',
      sent_recently: 'ont reçu une campagne récemment',
      capped: 'ont atteint le plafond',
      tier_quota: 'dépassent le quota de la formule pour ce mois',
    },
    gates: 'Vérifications avant l’envoi',
    results: { pass: 'Réussi', warn: 'Alerte', block: 'Bloquant' },
    test: 'M’envoyer un test',
    testTo: 'Envoyer un test à des membres',
    testNote: (most) =>
      `Ils reçoivent ce que montre l’aperçu, avec [Test] devant l’objet. ${most} membres au plus à la fois.`,
    testSend: 'Envoyer le test',
    testSent: 'Le test est en route',
    testFailed: 'Le test n’a pas été envoyé',
    worst: 'Aperçu avec les valeurs les plus longues, et sans valeur',
  },
  when: {
    local: 'À l’heure de chaque destinataire',
    localHint:
      'Les personnes sans fuseau horaire connu reçoivent le message à l’heure de l’entreprise.',
    now: 'Maintenant',
    later: 'Planifier pour plus tard',
    at: 'Date et heure',
    zone: (zone) => `Fuseau horaire de l’entreprise : ${zone}.`,
    zoneOfEach: 'Dans le fuseau horaire de chaque destinataire.',
    inZone: (at, zone) =>
      zone === 'recipient'
        ? `${at}, dans le fuseau horaire de chaque destinataire`
        : `${at} (${zone})`,
    send: (count) => `Envoyer à ${people(count)}`,
    confirm: {
      title: (count) => `Envoyer à ${people(count)} ?`,
      subject: 'Objet',
      text: 'Texte',
      to: 'À',
      first: (names, others) =>
        others === 0
          ? listed(names)
          : listed([...names, `${number(others)} ${plural(others, 'autre', 'autres')}`]),
      undo: (seconds) => `Vous pouvez annuler pendant ${seconds} secondes.`,
      approval: 'Une autre personne devra peut-être d’abord l’approuver.',
      send: 'Envoyer maintenant',
    },
    schedule: (count) => `Planifier pour ${count} ${count === '1' ? 'personne' : 'personnes'}`,
    blocked: 'Une vérification bloque cette campagne. Voir « Vérification ».',
    approval: 'Soumise pour approbation',
    sent: 'La campagne est en route',
    scheduled: (at) => `Planifiée pour le ${at}`,
    failed: 'La campagne n’a pas été envoyée',
  },
  run: {
    rename: 'Renommer',
    renameText:
      'Seuls les membres de l’entreprise voient ce nom. Les destinataires voient l’objet.',
    renameSave: 'Enregistrer le nom',
    of: (done, all) => `${done} sur ${all}`,
    rate: (perMinute) => `${perMinute} par minute`,
    left: (time) => `encore ${time} environ`,
    seconds: (count) => `${count} s`,
    minutes: (count) => `${count} min`,
    hours: (count) => `${count} h`,
    pause: 'Mettre en pause',
    resume: 'Reprendre',
    sendsIn: (time) => `Envoi dans ${time}`,
    sendsNow: 'Envoi en cours',
    goesOut: (at) => `Planifiée pour le ${at}`,
    to: (count) => `À ${people(count)}.`,
    undo: 'Annuler l’envoi',
    undoNote: 'Vous pouvez annuler jusque-là.',
    lastSeconds: 'Encore 10 secondes pour annuler.',
    undone: 'De nouveau un brouillon. Rien n’a été envoyé.',
    tooLate: 'Trop tard pour annuler',
    tooLateText:
      'L’envoi a commencé. Mettez-le en pause pour arrêter les e-mails qui ne sont pas encore partis.',
    unschedule: 'Annuler la planification',
    backToDraft: 'Revenir au brouillon',
    changeTime: 'Changer l’heure',
    duplicate: 'Dupliquer',
    duplicateOf: (name) => `Dupliquer « ${name} »`,
    duplicated: 'Copie créée en brouillon',
    cancel: 'Annuler la campagne',
    cancelText:
      'Les personnes qui ne l’ont pas encore reçue ne la recevront pas. Cette action est irréversible.',
    paused: (left) => `Restants : ${left}. Personne ne la reçoit deux fois.`,
    decide: 'Vérifier',
    look: 'Voir',
    byAnother: (others) =>
      others === 0
        ? 'Vous avez soumis cette campagne : une autre personne doit l’approuver, et personne d’autre ne le peut encore. Invitez un approbateur, un administrateur ou un propriétaire dans Membres.'
        : `Vous avez soumis cette campagne : une autre personne doit l’approuver. ${others === 1 ? 'Nous avons prévenu par e-mail la seule personne qui le peut.' : `Nous avons prévenu par e-mail les ${others} personnes qui le peuvent.`}`,
    changedByApp:
      'Une application connectée a modifié ses destinataires ou son expéditeur depuis sa planification ou son approbation.',
    plannedFor: (at) => `Une fois approuvée, elle part le ${at}.`,
    waits: {
      approval: 'En attente d’approbation.',
      send_at: 'En attente de l’heure planifiée.',
      first_recipients:
        'Un petit groupe l’a reçue en premier. Le reste suivra dès que ses résultats seront connus.',
      first_without_complaints:
        'Un petit groupe l’a reçue en premier. Le reste suivra dès que ses rejets seront connus. Les plaintes pour spam ne sont pas signalées à cette installation et ne peuvent pas être comptées.',
      local_hours: 'Certains destinataires attendent l’heure d’envoi de leur fuseau horaire.',
      gap: 'Certains destinataires ont reçu un autre message récemment et recevront celui-ci plus tard.',
      warm_up:
        'La limite du jour de la montée en charge du domaine est atteinte. Le reste part demain (UTC).',
      ab_test: 'Le reste sera envoyé à la fin du test A/B.',
      provider:
        'L’envoi vers un fournisseur est suspendu. Le reste continue : voir « Par fournisseur ».',
    },
    pauseReasons: {
      requested: 'Mise en pause par un membre.',
      bounce_rate:
        'Mise en pause automatiquement : trop d’e-mails ont été rejetés. Vérifiez d’où viennent les adresses.',
      complaint_rate:
        'Mise en pause automatiquement : trop de personnes l’ont signalée comme spam. Vérifiez comment elles se sont inscrites.',
      stopped:
        'Arrêtée avec son assistant ou avec tous les envois. Reprenez-la ici ou sur la page « Connexions ».',
      gate: 'Mise en pause à l’heure planifiée : une vérification n’est plus réussie. Reprenez l’envoi pour la relancer.',
      approval:
        'En pause : elle a maintenant plus de destinataires que permis sans approbation. La reprendre l’approuve pour tous.',
    },
    failed: 'L’action a échoué',
    done: 'Terminé',
    acted: {
      pause: 'Envoi mis en pause',
      resume: 'Envoi repris',
      cancel: 'Campagne annulée',
    },
  },
  again: {
    title: 'Renvoyer',
    long: 'Renvoyer aux personnes qui n’ont pas ouvert',
    opened: (opened, sent) => `${opened} destinataires sur ${sent} l’ont ouverte.`,
    unseen:
      'Certains des autres l’ont lue aussi : une lecture sans chargement des images ne se voit pas.',
    machines: (count) =>
      `Destinataires pour qui une messagerie ou un antivirus a ouvert l’e-mail : ${count}. Ils sont exclus, car personne ne sait s’ils l’ont lu.`,
    untracked:
      'Les contacts qui ne sont pas suivis sont exclus, ainsi que toute personne qui a cliqué sur un lien.',
    subject: 'Objet',
    subjectHint:
      'Un nouvel objet peut intéresser les personnes que le premier n’a pas convaincues.',
    draft: 'Vous obtenez une copie en brouillon. Rien n’est encore envoyé.',
    make: 'Créer le brouillon',
  },
  results: {
    title: 'Résultats',
    delivered: 'Distribués',
    accepted: 'Acceptés',
    acceptedHint: 'par le serveur de messagerie ; la distribution n’est pas signalée',
    acceptedTextHint: 'par le fournisseur ; la distribution n’est pas signalée',
    notReported: 'non signalées',
    sent: 'Envoyés',
    opened: 'Ouvertures',
    clicked: 'Clics',
    unsubscribed: 'Désinscriptions',
    bounced: 'Rejets',
    complained: 'Plaintes pour spam',
    failed: 'Échecs',
    skipped: 'Ignorés',
    machines: (count) => `plus ${count} par des robots`,
    links: 'Liens',
    people: 'Personnes',
    whoFollowed: 'Qui a cliqué sur ce lien',
    machineClicks: 'Robots',
    clicks: 'Carte des clics',
    noLinks: 'Aucun clic pour l’instant.',
    overTime: (total) => `Ouvertures par des personnes au fil du temps, ${total} au total`,
    chart: 'Ouvertures au fil du temps',
    revenue: 'Commandes',
    orders: (count) => `Commandes : ${count}`,
    byProvider: {
      title: 'Par fournisseur',
      lately: 'Campagnes des 30 derniers jours, par fournisseur de messagerie',
      text: 'Fournisseurs de messagerie, d’après les serveurs de chaque adresse.',
      others: 'Autres',
      taken: 'Envoyés',
      delivered: 'Distribués',
      deferred: 'Différés',
      refused: 'Refusés',
      bounced: 'Rejetés',
      complained: 'Plaintes pour spam',
      bar: (provider, sent, refused) =>
        `${provider} : ${sent} envoyés, ${refused} refusés ou rejetés`,
      held: 'Suspendu',
      heldText: {
        refusals: (time) =>
          `Plus de 2 % ont été refusés à cause de l’expéditeur. L’envoi vers ce fournisseur est suspendu et reprend automatiquement ${time}.`,
        complaints: (time) =>
          `Plus de 0,3 % des destinataires l’ont signalée comme spam. L’envoi vers ce fournisseur est suspendu et reprend automatiquement ${time}.`,
      },
      commonest: 'Refus les plus fréquents',
      lift: 'Reprendre l’envoi maintenant',
      liftTitle: (provider) => `Reprendre l’envoi vers ${provider} maintenant ?`,
      liftText: (time) =>
        `Il reprendrait automatiquement ${time}. Si le fournisseur refuse encore l’expéditeur ou si des personnes se plaignent encore, la réputation de votre domaine y souffre et la prochaine suspension dure plus longtemps.`,
      lifted: (count) =>
        count === 0
          ? 'Envoi repris'
          : `Envoi repris : ${number(count)} messages partent maintenant`,
    },
  },
  recipientList: {
    followed: 'Personnes ayant cliqué sur',
    title: 'Liste des destinataires',
    filter: 'Statut',
    any: 'Tous les statuts',
    contact: 'Contact',
    why: 'Raison',
    none: 'Aucun destinataire avec ce statut.',
    nobodyYet: 'Aucun destinataire pour l’instant. Ils apparaîtront au début de l’envoi.',
    deleted:
      'La liste des destinataires de cette campagne a été supprimée selon votre durée de conservation. Les totaux restent.',
    showAll: 'Afficher tous les destinataires',
    more: 'Afficher plus',
    states: {
      pending: 'En attente',
      sent: 'Envoyé',
      delivered: 'Distribué',
      bounced: 'Rejeté',
      failed: 'Échec',
      unknown: 'Inconnu',
      skipped: 'Ignoré',
      cancelled: 'Annulé',
      opened: 'Ouvert',
      clicked: 'Cliqué',
    },
    reasons: {
      pending: 'Son tour n’est pas encore venu.',
      waiting_for_winner: 'Recevra la variante gagnante du test.',
      taken: 'Le message est en file d’attente ou en route.',
      sent: 'Accepté par le serveur de messagerie. La distribution n’est pas encore confirmée.',
      delivered: 'La distribution a été confirmée.',
      bounced: 'Refusé définitivement.',
      failed: 'L’envoi a échoué.',
      unknown: 'La connexion a été coupée après l’envoi : le message est peut-être arrivé.',
      skipped: 'Ne reçoit rien.',
      cancelled: 'La campagne a été annulée avant.',
      no_email: 'N’a pas d’adresse e-mail.',
      no_phone: 'N’a pas de numéro de téléphone.',
      not_subscribed: 'N’est pas inscrit : n’a jamais consenti, ou s’est désinscrit.',
      topic_not_chosen: 'N’a pas choisi ce thème.',
      unsubscribed: 'S’est désinscrit entre-temps.',
      invalid: 'L’adresse ne fonctionne pas.',
      suppressed: 'L’adresse est bloquée.',
      sent_recently: 'A déjà reçu du marketing récemment.',
      tier_quota: 'Le quota mensuel de la formule est épuisé.',
      erased: 'Le contact a été effacé.',
      campaign_cancelled: 'La campagne a été annulée avant.',
      quiet_hours: 'Il fait nuit là-bas. Le message part le matin.',
    },
    resend: 'Renvoyer à tous les « Inconnu »',
    resendText: 'Certains l’ont peut-être déjà reçue et la recevront deux fois.',
    resent: (count) => `Renvoyée à ${count}`,
  },
}
