import type { refusals as english } from '../en/refusals.ts'

export const refusals: typeof english = {
  reasons: {
    not_json: () => 'Ce n’est pas du JSON valide.',
    ambiguous_json: () =>
      'Une valeur de ce JSON est ambiguë : un nombre trop grand ou un nom en double.',
    masked_condition: () =>
      'Cette connexion voit les adresses et les numéros masqués et ne peut les comparer qu’en entier.',
    other_cursor: () => 'Cet endroit de la liste n’existe pas. Rechargez la page.',
    several_businesses: () => 'Choisissez d’abord l’une de vos entreprises.',
    variables_too_large: () => 'Les valeurs des champs sont trop grandes au total.',
    relay_feedback: () =>
      'Le marketing attend encore : le serveur de messagerie de ce service n’a encore renvoyé aucun rapport. Demandez à l’exploitant de le tester.',
    keys_changing: () => 'Les clés de ce domaine sont en cours de changement.',
    domain_being_checked: () =>
      'Ce domaine est en cours de vérification. Réessayez dans un instant.',
    none_can_be_sent: () => 'Aucun de ces e-mails ne peut être envoyé.',
    none_waits: () => 'Aucun de ces e-mails n’attend plus : quelqu’un a déjà décidé.',
    sample_unread: () => 'Lisez d’abord l’échantillon.',
    many_proposals: () => 'Trop d’e-mails proposés attendent déjà.',
    removal_over: () => 'C’est déjà fait ou annulé.',
    sending_stopped: () => 'Tous les envois sont arrêtés. Reprenez-les sur la page « Connexions ».',
    stopped: () => 'Arrêté par une personne. Reprenez-le sur la page « Connexions ».',
    wrong_factor_code: () => 'Ce code est erroné ou a déjà servi. Attendez le suivant.',
    last_factor: () =>
      'C’est votre dernier second facteur, et il en faut un. Ajoutez-en d’abord un autre.',
    app_not_started: () => 'Cela a pris plus de 30 minutes. Recommencez.',
    no_factor: () => 'Ajoutez d’abord une clé d’accès ou une application d’authentification.',
    fresh_factor: () => 'Confirmez d’abord avec une clé d’accès ou un code que c’est bien vous.',
    second_factor: () =>
      'Un second facteur est obligatoire ici. Utilisez-le, ou configurez-en un sur la page « Sessions ».',
    new_factor: () =>
      'Votre second facteur a été configuré avec votre seule messagerie et compte après 24 heures. D’ici là, vous pouvez seulement consulter ; un propriétaire peut le confirmer aussitôt sur la page « Membres ».',
    accept_by_operator: () =>
      'Une autre entreprise de ce membre exige aussi un second facteur : il compte après 24 heures, ou dès que l’opérateur le confirme.',
    own_business: () => 'Cette entreprise vous appartient déjà.',
    same_address: () => 'C’est déjà votre adresse.',
    address_taken: () => 'Cette adresse appartient désormais à un autre compte.',
    no_offer: () => 'Cette entreprise ne vous est plus proposée.',
    own_hold: () =>
      'Connectez-vous de nouveau par votre entreprise, ou demandez à un autre propriétaire.',
    held: () =>
      'La connexion d’entreprise ne vous confirme plus. Connectez-vous de nouveau par votre entreprise, ou demandez à un propriétaire de vous laisser continuer, sur la page « Membres ».',
    own_factors: () =>
      'Vos propres facteurs se modifient sur la page « Sessions ». Si vous les avez tous perdus, un autre propriétaire ou l’opérateur les réinitialise.',
    reset_by_operator: () =>
      'Une autre entreprise exige aussi un second facteur de ce membre. Seul l’opérateur peut le réinitialiser.',
    address_not_verified: () => 'Cette adresse n’a pas été vérifiée. Connectez-vous par e-mail.',
    unknown_sign_in: () => 'Cette connexion n’a pas commencé ici. Recommencez.',
    provider_not_accepted: () =>
      'La connexion auprès de votre entreprise n’a pas été acceptée. Réessayez.',
    provider_cancelled: () => 'Votre entreprise ne vous a pas connecté. Réessayez.',
    sign_in_over: () => 'Cette connexion a déjà servi, ou date de plus de 10 minutes. Recommencez.',
    sign_in_again: () => 'Reconnectez-vous avec cette adresse avant de la lier.',
    foreign_domain: () =>
      'La connexion de votre entreprise ne vaut pas pour ce domaine de messagerie.',
    no_group: () => 'Aucun de vos groupes n’a de rôle ici.',
    no_company: () => 'Il n’y a pas de connexion d’entreprise pour cette adresse.',
    wrong_issuer: () =>
      'L’émetteur est l’adresse https:// par laquelle le fournisseur se nomme, sans requête ni fragment.',
    secret_anew: () => 'C’est un autre émetteur. Indiquez aussi son secret client.',
    company_only: () => 'Votre entreprise n’autorise que la connexion par l’entreprise.',
    break_glass: () =>
      'Votre entreprise garde cette clé d’accès pour le cas où sa connexion tombe en panne. Enregistrez-la d’abord avec une autre.',
    needs_passkey: () =>
      'Confirmez avec une clé d’accès : elle vous connecte aussi quand le fournisseur est en panne.',
    passkey_not_accepted: () => 'La clé d’accès n’a pas été acceptée. Réessayez.',
    passkey_unknown: () => 'Cette clé d’accès n’est pas à vous. Elle a peut-être été supprimée.',
    passkey_copied: () =>
      'Cette clé d’accès a répondu comme le ferait une copie et a été refusée. Supprimez-la en cas de doute.',
    passkey_late: () =>
      'Le délai est dépassé, ou la réponse a déjà servi. Utilisez de nouveau la clé d’accès.',
    passkeys_full: () =>
      'Vous avez atteint le nombre maximal de clés d’accès. Supprimez-en une d’abord.',
    passkey_known: () => 'Cette clé d’accès est déjà enregistrée.',
    passkeys_need_https: () =>
      'Les clés d’accès exigent une adresse en https. Connectez-vous par e-mail.',
    unknown_field: () => 'Ce champ est inconnu ici.',
    missing: () => 'Champ obligatoire.',
    not_a_choice: ({ allowed }) => `Valeurs possibles : ${String(allowed)}.`,
    wrong_form: () => 'Cette information n’a pas la bonne forme.',
    wrong_type: () => 'Cette information n’est pas du bon type.',
    empty: () => 'Champ obligatoire.',
    too_short: ({ limit }) =>
      Number(limit) === 1 ? 'Champ obligatoire.' : `Au moins ${String(limit)} caractères.`,
    too_long: ({ limit }) => `Au plus ${String(limit)} caractères.`,
    too_few: ({ limit }) => `Au moins ${String(limit)} éléments.`,
    too_many: ({ limit }) => `Au plus ${String(limit)} éléments.`,
    below_minimum: ({ limit }) => `Au moins ${String(limit)}.`,
    above_maximum: ({ limit }) => `Au plus ${String(limit)}.`,
    address_of_another: () =>
      'Cette adresse ou ce numéro de téléphone appartient déjà à un autre contact.',
    marketing_not_moved: () =>
      'Un message marketing ne se déplace pas. Annulez-le et envoyez-le de nouveau.',
    recipient_twice: () => 'Cette adresse figure déjà dans la liste.',
    several_recipients: () =>
      'Un message marketing va à une seule personne. Envoyez un message à chacune.',
    external_id_of_another: () =>
      'Cette adresse ou ce numéro de téléphone a déjà un autre identifiant externe.',
    erased: () =>
      'Cette personne a été effacée de l’entreprise et ne peut pas être ajoutée de nouveau.',
    stop: () =>
      'Cette personne a répondu STOP par SMS. Elle seule peut revenir en arrière, en répondant START.',
    name_taken: () => 'Ce nom existe déjà. Choisissez-en un autre.',
    in_use: () => 'C’est encore utilisé. Modifiez d’abord ce qui l’utilise.',
    too_many_segments: () => 'Le nombre maximal de segments est atteint. Supprimez-en un d’abord.',
    domain_not_verified: () => 'Ce domaine n’est pas encore vérifié et ne peut pas envoyer.',
    too_late: () => 'Il est trop tard : le message est déjà en route ou terminé.',
    changed_meanwhile: () => 'Cela a été modifié entre-temps. Rechargez et vérifiez de nouveau.',
    approval_limit: () =>
      'Il y a plus de destinataires que permis sans approbation. Une personne doit approuver la campagne.',
    release_by_person: () =>
      'Seule une personne libère autant de confirmations retenues, dans l’application.',
    approval: () =>
      'Plus de personnes que prévu sont entrées dans cette automatisation. Une personne la reprend dans l’application.',
    drifted: () =>
      'Le contenu, la règle ou l’expéditeur ont changé depuis l’aperçu. Regardez de nouveau l’aperçu.',
    sender_changed: () =>
      'L’expéditeur n’est plus celui qui a été approuvé. Regardez l’aperçu, puis lancez de nouveau l’automatisation.',
    two_people: () =>
      'Une deuxième personne suppose assez de membres qui peuvent approuver : approbateurs, administrateurs ou propriétaires.',
    ordered_anew: () =>
      'La campagne a été retirée puis soumise de nouveau entre-temps. Vérifiez-la encore une fois.',
    paused: () =>
      'La campagne a été mise en pause entre-temps pour une autre raison. Vérifiez-la encore une fois.',
    marketing: () =>
      'Ce modèle vient d’un e-mail marketing de la galerie et ne peut pas être marqué comme transactionnel.',
    automation: () => 'C’est une automatisation, et non une campagne unique.',
    no_match: () => 'Aucun modèle ne correspond. Décrivez-le autrement.',
    one_line: () => 'Ici, une seule ligne de texte est possible.',
    one_short_line: ({ limit }) =>
      `Ici, une ligne de ${String(limit)} caractères au plus est possible.`,
    one_of: () => 'Une seule de ces indications est possible. Retirez les autres.',
    no_web_address: () => 'Indiquez une adresse web, par exemple https://exemple.fr.',
    no_moment: () => 'Indiquez une date et une heure qui existent.',
    no_day: () => 'Indiquez un jour qui existe.',
    no_time: () => 'Indiquez une heure, par exemple 09:00.',
    no_month: () => 'Indiquez un mois qui n’est pas dans le futur.',
    no_number: () => 'Indiquez un nombre entier.',
    number_between: ({ minimum, maximum }) =>
      `Indiquez un nombre entier de ${String(minimum)} à ${String(maximum)}.`,
    no_language: () => 'Choisissez une langue, par exemple fr ou pt-BR.',
    no_time_zone: () => 'Choisissez un fuseau horaire, par exemple Europe/Paris.',
    no_colour: () => 'Indiquez une couleur avec # et six chiffres ou lettres, par exemple #4338ca.',
    no_email: () => 'Ce n’est pas une adresse e-mail valide. Exemple : anna@exemple.fr.',
    no_phone: () =>
      'Ce n’est pas un numéro de téléphone valable. Écrivez-le avec l’indicatif du pays, par exemple +33 6 12 34 56 78.',
    no_sms_sender: () =>
      'L’expéditeur de SMS est un numéro avec indicatif, un numéro court ou un nom de onze lettres et chiffres au plus.',
    no_sms_sender_set: () =>
      'Il manque un expéditeur pour les SMS. Un propriétaire l’indique dans les paramètres.',
    no_sms: () => 'Les SMS ne sont pas configurés dans ce service.',
    no_network: ({ text }) =>
      `« ${String(text)} » n’est pas un réseau. Écrivez 203.0.113.0/24 ou une seule adresse.`,
    no_picture: () => 'L’image n’a pas pu être lue. Envoyez un fichier PNG, JPEG, GIF ou WebP.',
    no_domain_name: () => 'Indiquez seulement le nom du domaine, par exemple mail.exemple.fr.',
    public_suffix: () =>
      'Tout le monde peut enregistrer un domaine sous ce nom. Indiquez-en un qui vous appartient.',
    recipients_deleted: () =>
      'La liste des destinataires de cette campagne a été supprimée selon la durée de conservation. Ses totaux sont toujours là.',
    nothing_changed: () => 'Aucune modification n’a été indiquée.',
    wrong_business_name: ({ limit }) =>
      `Le nom d’une entreprise a de 1 à ${String(limit)} caractères.`,
    too_many_owned: ({ limit }) =>
      `Une personne peut posséder au plus ${String(limit)} entreprises. Qui exploite le service peut en créer davantage.`,
    last_owner: () =>
      'Une entreprise garde au moins un propriétaire. Nommez d’abord quelqu’un d’autre.',
    sender_name: () => 'Le nom de l’expéditeur ne peut contenir ni <, ni >, ni guillemets.',
    limit_of_two_people: () =>
      'Tant qu’une deuxième personne doit approuver, un nombre est nécessaire ici. 0 signifie que chaque campagne l’attend.',
    form_of_archive: () => 'Choisissez un formulaire de cette entreprise.',
    postal_address_too_long: ({ lines, limit }) =>
      `L’adresse postale a au plus ${String(lines)} lignes et ${String(limit)} caractères.`,
    no_postal_address_text: () =>
      'Indiquez une adresse où le courrier arrive : rue, ville et pays, sans < ni >.',
    site_unreachable: () => 'Cette page n’a pas pu être lue. Vérifiez l’adresse.',
    for_some_in_brand: () =>
      'Ici, aucun bloc ne peut viser une partie des destinataires : il est dans chaque e-mail.',
    locked_by_brand: () => 'C’est fixé par la marque. Un propriétaire peut le libérer là-bas.',
    blocks_too_long: () => 'L’ensemble est trop long. Raccourcissez les textes.',
    too_many_blocks: ({ limit }) =>
      `Un e-mail a au plus ${String(limit)} blocs, ceux des colonnes compris.`,
    too_many_filters: ({ limit }) =>
      `C’est une condition de trop : un e-mail en a au plus ${String(limit)} différentes.`,
    columns_in_columns: () => 'Des colonnes ne peuvent pas contenir d’autres colonnes.',
    button_without_link: () =>
      'Il manque au bouton l’adresse où il mène. Indiquez-la ou supprimez le bouton.',
    picture_without_text: () => 'Décrivez l’image pour les personnes qui ne la voient pas.',
    subject_missing: () => 'L’objet manque.',
    subject_too_long: () => 'L’objet est trop long une fois les valeurs insérées.',
    content_missing: () => 'Le contenu manque.',
    empty_text: () => 'Le texte est vide.',
    too_many_segments_of_text: ({ limit }) =>
      `Le SMS est trop long : ${String(limit)} parties au plus. Raccourcissez-le ou retirez les emojis.`,
    unseen_characters: () => 'Le texte contient un caractère invisible. Supprimez-le.',
    unreadable_text: () => 'Le texte contient des caractères qui ne peuvent pas être enregistrés.',
    unknown_words: () => 'Un champ n’a pas de valeur. Indiquez une valeur par défaut.',
    template_fault: ({ fault }) =>
      `Le contenu a une erreur. Le service indique : « ${String(fault)} »`,
    template_too_heavy: () =>
      'Le contenu demande trop de calcul. Cherchez de longues boucles ou un très grand nombre de règles de style.',
    only_email: () => 'Cela n’existe que pour les e-mails.',
    other_name: () => 'Ce n’est pas le nom de l’entreprise.',
    restart_needed: () =>
      'Le service doit d’abord redémarrer. Demandez-le à la personne qui l’exploite.',
    other_channel: () => 'Le canal ne convient pas : e-mails et SMS ont leurs propres modèles.',
    not_in_gallery: () => 'Cela n’existe pas dans la galerie.',
    gallery_for_new: () => 'La galerie sert à commencer un nouveau modèle. Celui-ci existe déjà.',
    wrong_key: ({ limit }) =>
      `Une clé a de 1 à ${String(limit)} lettres minuscules, chiffres, - et _.`,
    key_taken: () => 'Cette clé existe déjà. Choisissez-en une autre.',
    language_twice: () => 'Cette langue y figure déjà.',
    no_translation: () => 'Le contenu n’existe pas dans cette langue.',
    same_variant: () => 'Cette variante est identique à la campagne. Modifiez quelque chose.',
    no_such_variant: () => 'Cette variante n’existe pas.',
    no_winner_now: () => 'Aucun gagnant ne peut être choisi maintenant.',
    archive_of_texts: () => 'Seuls les e-mails peuvent être dans les archives.',
    opens_of_texts: () => 'Pour les SMS, personne ne sait qui les a lus.',
    opens_unknown: () =>
      'Cette entreprise n’enregistre pas les ouvertures : personne ne sait qui n’a pas ouvert.',
    not_stopped: () => 'Mettez d’abord la campagne en pause, ou annulez-la.',
    sent_to_nobody: () =>
      'La campagne n’a encore été envoyée à personne : personne ne peut la recevoir de nouveau.',
    only_with_approval: () => 'La limite ne se relève qu’avec une approbation.',
    nobody_chosen: () => 'Choisissez d’abord les personnes concernées.',
    too_many_chosen: ({ limit }) => `C’est trop à la fois : ${String(limit)} au plus.`,
    test_to_members: () =>
      'Un test ne va qu’aux membres de cette entreprise, à l’adresse de leur connexion.',
    member_without_number: () =>
      'Pour tester un SMS, il faut un contact avec votre adresse e-mail et votre numéro de téléphone.',
    gates_closed: () =>
      'Rien n’a été envoyé : il reste des points à régler. La vérification les indique.',
    not_in_this_state: () => 'Ce n’est pas possible dans cet état. Rechargez la page.',
    nothing_waits: () => 'Rien n’attend plus cette décision.',
    moment_past: () => 'Ce moment est déjà passé. Choisissez-en un plus tard.',
    moment_too_far: ({ limit }) =>
      `Un envoi se programme au plus ${String(limit)} jours à l’avance.`,
    past_moment: () => 'Ce moment doit être dans le futur.',
    past_day: () => 'Ce jour ne peut pas être dans le futur.',
    period_reversed: () => 'Le début est après la fin.',
    period_too_long: ({ limit }) => `La période est trop longue : ${String(limit)} jours au plus.`,
    same_campaign_twice: () => 'Choisissez deux campagnes différentes.',
    not_saved: () => 'Le contact n’a pas pu être enregistré.',
    same_contact: () => 'C’est le même contact. Choisissez-en deux différents.',
    no_address: () =>
      'Il manque à ce contact l’adresse e-mail ou le numéro de téléphone nécessaire.',
    email_or_phone: () => 'Indiquez une adresse e-mail ou un numéro de téléphone.',
    no_consent: () => 'Cette personne n’a pas accepté le marketing, ou pas pour ce thème.',
    no_tag: () => 'Indiquez au moins une étiquette.',
    tag_added_and_removed: () => 'Une étiquette ne peut pas être à la fois ajoutée et retirée.',
    too_many_taggings: ({ limit }) =>
      `${String(limit)} modifications d’étiquettes sont déjà en cours. Attendez que l’une se termine.`,
    too_many_topics: ({ limit }) =>
      `${String(limit)} thèmes au plus sont possibles. Archivez-en un d’abord.`,
    archived_topic: () => 'Ce thème est archivé.',
    topic_in_use: () => 'Ce thème est encore utilisé. Archivez-le ensuite.',
    list_changed: () => 'La liste n’est plus à jour. Rechargez la page.',
    filter_too_long: () => 'Le filtre est trop long. Utilisez moins de valeurs.',
    utm_without_source: () =>
      'Indiquez aussi utm_source : sans elle, les outils d’analyse ignorent les autres valeurs.',
    answers_too_long: ({ limit }) =>
      `Les réponses sont trop longues : ${String(limit)} caractères au plus en tout.`,
    too_many_to_copy: ({ limit }) => `On peut en copier au plus ${String(limit)} à la fois.`,
    form_not_published: () => 'Seul un formulaire publié accepte des réponses.',
    form_without_address: () =>
      'Le formulaire ne demande ni adresse e-mail ni numéro de téléphone.',
    form_too_large: () => 'Les champs sont trop volumineux. Raccourcissez les options.',
    page_too_large: () => 'La page est trop volumineuse. Raccourcissez les textes.',
    field_without_options: () => 'Ce type de champ n’a pas d’options.',
    options_missing: () => 'Indiquez les options au choix.',
    comma_in_option: () => 'Une option ne peut pas contenir de virgule.',
    only_consent_fields: () => 'Cela n’existe que pour les champs de consentement.',
    consent_without_address: () => 'Ce consentement demande un champ pour l’adresse ou le numéro.',
    consent_twice: () => 'Ce canal a déjà un champ de consentement.',
    topics_twice: () => 'Un formulaire ne peut proposer les thèmes qu’une fois.',
    topics_without_consent: () => 'Les thèmes demandent un champ de consentement par e-mail.',
    picture_in_brand: () =>
      'Cette image fait partie de la marque. Un propriétaire l’en retire d’abord.',
    picture_deleted: () => 'L’image a été supprimée entre-temps. Envoyez-la de nouveau.',
    no_room_for_pictures: () => 'Il n’y a plus de place pour des images. Supprimez-en d’abord.',
    picture_too_large: ({ limit }) =>
      `L’image est trop lourde : ${Math.floor(Number(limit) / 1_000_000)} Mo au plus.`,
    picture_corrupt: () =>
      'L’image est endommagée. Enregistrez-la de nouveau et envoyez ce fichier.',
    picture_too_many_pixels: () => 'L’image a trop de pixels. Choisissez-en une plus petite.',
    picture_too_many_frames: ({ limit }) =>
      `L’animation est trop longue : ${String(limit)} images au plus.`,
    picture_takes_long: () => 'L’image demande trop de temps. Choisissez-en une plus petite.',
    unreadable_file: () =>
      'Ce fichier est illisible. Exportez-le de nouveau en CSV, avec une ligne par personne.',
    file_too_large: () => 'Le fichier dépasse 1 Go. Divisez-le.',
    pasted_too_large: () => 'Le texte dépasse 1 Mo. Envoyez-le comme fichier.',
    other_file: () =>
      'Un autre fichier a déjà été envoyé pour cette importation, ou elle est terminée. Commencez-en une nouvelle.',
    too_many_imports: ({ limit }) =>
      `${String(limit)} importations sont déjà ouvertes. Terminez-en ou annulez-en une d’abord.`,
    import_over: () => 'Cette importation est déjà terminée.',
    import_not_ready: () =>
      'Cette importation ne peut pas démarrer pour l’instant. Rechargez la page.',
    import_not_running: () => 'Seule une importation en cours peut être mise en pause.',
    import_not_over: () => 'Seule une importation terminée peut être annulée. Arrêtez-la d’abord.',
    encoding_is_known: ({ encoding }) => `Le fichier est écrit en ${String(encoding)}.`,
    encoding_to_confirm: ({ encoding }) =>
      `Le fichier a été lu en ${String(encoding)}. Regardez les accents, puis confirmez.`,
    no_such_column: () => 'Cette colonne n’existe pas dans le fichier.',
    no_target: () => 'Une colonne ne peut pas devenir cela.',
    column_twice: ({ target }) =>
      `Deux colonnes deviennent la même chose (${String(target)}). Modifiez-en une.`,
    no_identifying_column: () =>
      'Aucune colonne ne devient l’adresse e-mail ou le numéro de téléphone, qui identifie la personne.',
    misquoted: () => 'Un guillemet est mal placé dans cette ligne.',
    too_many_cells: () =>
      'Cette ligne a plus de cellules que le fichier de colonnes. Une cellule contenant le séparateur demande des guillemets.',
    too_many_attributes: ({ limit }) =>
      `Un contact a au plus ${String(limit)} champs personnalisés. Retirez des colonnes.`,
    unknown_status: () => 'Ce statut est inconnu.',
    may_be_written_to: () => 'Cette ligne dit que la personne peut être contactée.',
    row_without_address: () => 'Cette ligne n’a pas d’adresse.',
    too_many_keys: ({ limit }) =>
      `${String(limit)} clés API au plus sont possibles. Révoquez-en une d’abord.`,
    key_shown_before: () => 'Cette clé a déjà été affichée. Révoquez-la et créez-en une autre.',
    nothing_withheld: () =>
      'Il n’y a rien à rendre : rien de plus n’a jamais été permis. Connectez de nouveau l’application et choisissez davantage.',
    business_out_of_reach: () => 'La connexion n’a pas accès à l’une de ces entreprises.',
    takes_data_out: () =>
      'Des données quitteraient le service. Seule une personne peut le faire dans l’application.',
    call_repeated: () => 'Cela a déjà été envoyé avec d’autres indications. Rechargez la page.',
    local_domain: () =>
      'Ce service n’a pas d’adresse publique et ne peut pas envoyer depuis un domaine.',
    volume_waits: () => 'Une déclaration précédente attend encore la réponse de l’exploitant.',
    foreign_sender: ({ domain }) =>
      `${String(domain)} n’est pas un domaine de cette entreprise. Ajoutez-le dans Domaines.`,
    no_domain: () =>
      'Il manque un domaine vérifié pour envoyer. Ajoutez-en un et créez ses enregistrements DNS.',
    dkim_missing: ({ domain }) =>
      `L’enregistrement DKIM de ${String(domain)} a disparu. Le marketing attend qu’il revienne.`,
    records_missing: ({ domain, records }) =>
      `Pour le marketing depuis ${String(domain)}, il manque des enregistrements DNS : ${String(records)}.`,
    no_postal_address: () =>
      'Pour le marketing, il manque l’adresse postale. Un propriétaire l’indique dans les paramètres.',
    steps_only_wait: () =>
      'Les étapes ne font qu’attendre. Ajoutez-en une qui envoie ou modifie quelque chose.',
    too_many_steps: ({ limit }) =>
      `Une automatisation a au plus ${String(limit)} étapes, celles des branches comprises.`,
    step_without_mail: () => 'Cette étape attend un e-mail qu’aucune étape précédente n’envoie.',
    branch_without_condition: () =>
      'Il manque une condition à cette branche. Seule la dernière est pour tous les autres.',
    hours_reversed: () => 'La fin doit suivre le début, le même jour.',
    duration_too_long: ({ limit }) => `Indiquez une durée de 1 minute à ${String(limit)} jours.`,
    topic_missing: () => 'Choisissez un thème.',
    form_missing: () => 'Choisissez un formulaire.',
    segment_missing: () => 'Choisissez un segment.',
    template_missing: () => 'Choisissez un modèle.',
    text_in_step: () => 'C’est un SMS. Choisissez-le dans une étape qui envoie des SMS.',
    mail_in_step: () => 'C’est un e-mail. Choisissez-le dans une étape qui envoie des e-mails.',
    member_missing: () => 'Ce membre n’existe plus. Choisissez-en un autre.',
    webhook_missing: () => 'Ce webhook n’existe plus. Choisissez-en un autre.',
    event_not_named: () =>
      'Ce webhook n’est pas abonné à l’événement sequence.notified. Ajoutez-le-lui.',
    tier_without_texts: () => 'L’offre de cette entreprise ne comprend pas de SMS.',
    capped: () => 'Cette personne a reçu autant de marketing qu’elle ou l’entreprise le permet.',
    marketing_mail: () =>
      'Cet e-mail est du marketing et ne peut pas être envoyé comme transactionnel.',
    feed_block: () => 'L’e-mail d’un flux a exactement un bloc pour les articles.',
    too_many_feeds: ({ limit }) =>
      `Au plus ${String(limit)} flux sont possibles. Supprimez-en un d’abord.`,
    too_many_automations: ({ limit }) =>
      `${String(limit)} automatisations au plus sont possibles. Supprimez-en une d’abord.`,
    one_delivery: () =>
      'Ce champ choisit parmi plusieurs événements. Indiquez un webhook, sans livraison précise.',
    until_before_since: () => 'La fin doit être après le début.',
    not_named: () => 'Ce webhook n’est pas abonné à ce type d’événement.',
    filter_without_events: () =>
      'Aucun événement de ce webhook n’a cette donnée. Retirez le filtre ou choisissez d’autres événements.',
    attempt_under_way: () =>
      'Une tentative de cette livraison est en cours. Regardez d’abord son résultat.',
    webhook_paused: () => 'Ce webhook est en pause et ne reçoit rien. Reprenez-le d’abord.',
    delivery_over: () => 'Cette livraison est terminée. Renvoyez plutôt l’événement.',
    delivery_under_way: () =>
      'Cet événement est déjà en route. Renvoyez-le une fois les tentatives terminées.',
    no_inbox: () =>
      'Les e-mails de cette entreprise quittent la machine : il n’y a pas de boîte de réception à consulter. Une clé de test en a une.',
    no_such_mail: () => 'Cet e-mail n’est pas dans la boîte de réception.',
    test_key_webhook: () =>
      'Un webhook d’une clé de test mène à la machine sur laquelle le service fonctionne.',
    own_machine: () =>
      'Cette adresse mène au serveur de ce service, qui ne s’appelle pas lui-même.',
    no_such_holder: () =>
      'Cette clé API ou ce membre n’est plus ici. Choisissez quelqu’un d’autre.',
    holder_role: () =>
      'Seuls les administrateurs et les propriétaires peuvent reprendre un webhook.',
    holder_scopes: () =>
      'Il manque à cette clé des autorisations dont le webhook a besoin. Choisissez-en une autre.',
    new_webhook_active: () => 'Un nouveau webhook est actif. Mettez-le en pause ensuite.',
    part_of_campaign: () =>
      'Ce message fait partie d’une campagne. Annulez-la ou mettez-la en pause.',
    attachments_too_large: () => 'Les pièces jointes sont trop lourdes. Envoyez plutôt un lien.',
    wrong_code: () => 'Ce n’est pas le code affiché dans le premier onglet.',
    other_browser: () => 'Ce lien a été demandé dans un autre navigateur.',
    no_account: () =>
      'Cette adresse n’a pas de compte ici. Demandez une invitation à un propriétaire.',
    bounce: () => 'Rien n’est envoyé à cette adresse : elle ne fonctionnait pas.',
    complaint: () => 'Rien n’est envoyé à cette adresse : la personne s’est plainte.',
    unsubscribed: () => 'Rien n’est envoyé à cette adresse : la personne s’est désinscrite.',
    manual: () => 'Rien n’est envoyé à cette adresse : elle a été bloquée.',
    wrong_filter: () => 'Une condition du filtre est incomplète ou incorrecte. Vérifiez-les.',
  },
  filter: 'Une condition du filtre est incomplète ou incorrecte. Vérifiez-les.',
  codes: {
    unauthorized: 'Votre session est terminée. Reconnectez-vous.',
    scope_required: 'L’autorisation nécessaire manque.',
    tier_required: 'La formule de cette entreprise n’en permet pas davantage.',
    role_required: 'Votre rôle dans cette entreprise ne le permet pas.',
    forbidden_origin: 'Cette requête venait d’un autre site.',
    not_found: 'Cela n’existe pas, ou n’existe plus.',
    gone: 'Cela n’existe plus.',
    erased: 'Cette personne a été effacée.',
    cursor_expired: 'La liste n’est plus à jour. Rechargez la page.',
    unsupported_media_type: 'Ce type de fichier n’est pas pris en charge.',
    rate_limited: 'Trop de requêtes. Réessayez dans un instant.',
    internal: 'Une erreur s’est produite dans le service. Réessayez.',
    unavailable: 'Le service est indisponible pour le moment. Réessayez dans un instant.',
  },
}
