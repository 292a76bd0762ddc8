import type { home as english } from '../en/home.ts'

export const home: typeof english = {
  ready: (business) => `Préparer ${business}`,
  progress: (done, of) => `${done} étapes obligatoires sur ${of} terminées`,
  steps: {
    postal_address: {
      name: 'Ajouter votre adresse postale',
      about: 'Un e-mail marketing doit indiquer l’adresse postale de son expéditeur.',
      action: 'Ajouter l’adresse',
    },
    sender_domain: {
      name: 'Envoyer depuis votre propre domaine',
      about:
        'Vous pourrez envoyer dès que ses enregistrements DNS seront trouvés. Cela peut attendre.',
      notNeeded:
        'Inutile ici : cette installation garde les e-mails dans sa boîte de test, ou les envoie sans domaine à vous.',
      action: 'Configurer un domaine',
    },
    contacts: {
      name: 'Ajouter des contacts',
      about:
        'Importez un fichier CSV, ajoutez des personnes une à une, ou collectez-les avec un formulaire sur votre site.',
      action: 'Importer un fichier',
    },
    test: {
      name: 'Vous envoyer un e-mail de test',
      about: 'Un court e-mail à votre propre adresse montre que tout fonctionne.',
      action: 'Envoyer un test',
      sent: (email) => `Un test est en route vers ${email}`,
      subject: 'Un test de Crier',
      text: 'Ceci est un test. Si vous pouvez le lire, vos e-mails fonctionnent.',
      failed: 'Le test n’a pas été envoyé',
      inbox: 'Ouvrir la boîte de test',
    },
  },
  assistant: {
    title: 'Connecter un assistant',
    about:
      'Donnez cette adresse à tout assistant compatible MCP. Il vous renvoie ici pour approuver l’accès.',
    copy: 'Copier l’adresse',
  },
  waits: {
    title: 'À traiter',
    nothing: 'Rien à traiter.',
    approval: (name) => `« ${name} » attend une approbation`,
    automation: (name) => `Une automatisation vous attend : « ${name} »`,
    automationPaused: (name) =>
      `L’automatisation « ${name} » est en pause : plus de personnes sont entrées que prévu`,
    refused: (name) => `« ${name} » a été refusée`,
    decide: 'Vérifier',
    proposals: (count) =>
      count === '1'
        ? '1 e-mail proposé attend votre accord'
        : `${count} e-mails proposés attendent votre accord`,
    replies: (count) => `Réponses à traiter : ${count}`,
    domain: (domain) =>
      `Il manque des enregistrements DNS à ${domain}, ou certains sont incorrects`,
    webhook: (url) => `Les livraisons vers ${url} échouent`,
    open: 'Ouvrir',
  },
  growth: 'Abonnés e-mail, 30 derniers jours',
  going: {
    title: 'Campagnes en cours',
    nothing: 'Aucune campagne en cours.',
    all: 'Toutes les campagnes',
  },
  numbers: {
    title: 'Ce mois-ci',
    contacts: 'Contacts',
    emails: 'E-mails',
    sms: 'SMS',
    calls: 'Appels d’API',
    of: (limit) => `sur ${limit}`,
    perDay: (total) => `E-mails par jour ce mois-ci, ${total} au total`,
  },
}
