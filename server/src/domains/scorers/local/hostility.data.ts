/** Words of threats and contempt, as alternatives of regular expressions. */

/** People, by a group or by a pronoun. */
const groups =
  'females?|women|men|girls|wom[ae]n|gays?|gay people|gay (?:men|women)|homosexuals?|lesbians?|transgenders?|trans(?:gender)? (?:people|women|men)|black(?:s| people| men| women)|white(?:s| people)|asians?|africans?|arabs?|mexicans?|chinese|indians?|turks?|poles|russians?|ukrainians?|jews?|jewish people|muslims?|christians?|hindus?|catholics?|atheists?|immigrants?|migrants?|refugees?|asylum seekers?|foreigners?|gyps(?:y|ies)|roma|disabled people|disabled|(?:the )?(?:poor|homeless|elderly)|old people|fat people|(?:blind|deaf|autistic) people|minorities|natives|infidels|unbelievers|liberals|conservatives|democrats|republicans|politicians|journalists|teachers|neighbou?rs|customers|voters'
const people = `(?:(?:all|any|every|most|these|those|the|such|more|our|your|their|some|bloody|damn|fucking|filthy|dirty|stupid|lazy|disgusting) ){0,3}(?:${groups}|(?:people|folks?|types?|ones?|folk)(?: like (?:you|him|her|them|that|this))?|(?:guy|man|woman|girl|boy|kid|person|child|kids|children|family|bastard|idiot|moron|scum|vermin)s?)`
const pronouns =
  '(?:you(?: all| people| guys| lot)?|u|him|her|them|(?:your|his|her|their) (?:whole |entire )?(?:family|kids|children|wife|husband|mother|son|daughter|house|head|face|throat|neck|legs|skull))'
const anybody = `(?:${pronouns}|${people})`
const they = `(?:you(?: all| people| guys| lot)?|u|ya|they|he|she|it|this|that|(?:these|those|such) (?:animals|creatures|things)|${people})`
const violent =
  '(?:kill|murder|shoot|stab|strangle|hang|lynch|gas|burn|beat|hurt|smash|slaughter|execute|exterminate|eradicate|butcher|gut|behead|poison|drown|crush|rape|punch|slap|break|cut|slit|choke|attack|torture|destroy|eliminate|bomb|annihilate|whip|skin|end)'
const violated =
  '(?:killed|murdered|shot|stabbed|strangled|hanged|hung|lynched|gassed|burne?d|burnt|beaten|hurt|smashed|slaughtered|executed|exterminated|eradicated|butchered|beheaded|poisoned|drowned|crushed|raped|punished|put down|put to death|wiped out|eliminated|locked up|deported|sterili[sz]ed|castrated|tortured|thrown out|rounded up|annihilated|whipped|removed from|destroyed|dead|six feet under)'
const vermin =
  '(?:vermin|(?:cock)?roach(?:es)?|rats?|animals?|pigs?|swine|dogs|bitch(?:es)?|parasites?|disease|plagues?|virus(?:es)?|cancers?|tumou?rs?|filth|scum(?:bags?)?|trash|garbage|rubbish|dirt|waste of (?:space|oxygen|air|skin)|sub-?humans?|savages?|leech(?:es)?|insects?|apes?|monkeys?|maggots?|infestation|worms?|snakes?|beasts?|pests?|lice|bugs|locusts|ticks|mongrels|less than human|inhuman|not (?:even )?(?:really )?(?:human|people)|no better than (?:animals|dogs|rats|pigs)|monsters?|barbarians?|primitives?|degenerates?|abominations?)'
const contempt =
  '(?:idiots?|morons?|stupid|dumb|pathetic|worthless|disgusting|imbeciles?|losers?|useless|ugly|inferior|retard(?:s|ed)?|failures?|nothing|evil|lazy|criminals?|thieves|liars?|terrorists?|rapists|murderers|brainless|clueless|repulsive|vile|gross|freaks?|cowards?|fools?|dimwits?|clowns?|cretins?|jerks?|creeps?|repugnant|immoral|perverts?|despicable|revolting|a (?:disgrace|joke|burden|waste|mistake|threat to)|dumbass(?:es)?|incompetent|hopeless|asshole|arseholes?|bastards?|sick in the head|mentally ill|scary)'
const degree =
  '(?:(?:such|an?|so|too|the|just|really|truly|completely|totally|utterly|absolutely|all|nothing but|basically|like|little|worse than|no more than|as (?:bad|dirty) as|complete|total|utter|absolute|real|fucking|bloody|damn|stupid|ugly|dirty|filthy|fat|old|literally|simply|actually|always|also|more|most|very|pure|kind of|a bunch of|a pack of|a swarm of|a bit|one|biggest|even) ){0,4}'
const adverb =
  '(?:(?:really|just|truly|so|fucking|absolutely|all|honestly|personally|always|do|definitely|gonna|going to|finally|soon|personally|simply) ){0,3}'

/** Only sentences with such a word are compared with the patterns, most of which begin with a common word. */
export const isSuspect = new RegExp(
  `\\b(?:${violent}(?:s|ing)?|${violated}|${vermin}|${contempt}|get|find|hunt|track|know|found|looked|regret|pay|sorry|die|suffer|bleed|dead|watch|sleep|days|time|live|thing|prayers|next|warned|better|shame|pity|terrible|sad|happens?|blow|bullet|knife|deserves?|rot|perish|disappear|rid|wipe|purge|deport|death|good|world|country|cleanse|send|kick|throw|drive|back|right|allowed|place|breed|multiply|infest|spread|human|people|persons|consider|regard|hate|despise|detest|loathe|stand|abhor|disgusted|sick|sickened|repulsed|shut|screw|piss|hell|nobody|one|none|waste|go|wish|hope|worst|reason|problem|ruining|taking|yourself|urself|kys|end|jump|drink|miss|care|favou?r|point|lesser|hatred|rage|anger|compassion|respect|matter|value|worth|worthy|ruin|du|ich|je|te|os|espèce|sale|connard|salope|pendejo|gilipollas|eres|vollidiot|hurensohn|arschloch|wirst|spit|torch|vandali[sz]e|set|knock|rip|tear|seen|noticed|remember|accidents?|until|till|unless|or|trust|hire|livestock|cattle|breeding|loser|idiot|met|when|if|next|beat|slap|kick|teeth|everyone|everybody|let's|here|belong|stupidest|dumbest|space|second-class)\\b|\\byou\\b`,
)

const bodyPart =
  '(?:teeth|tooth|nose|jaw|ribs?|bones?|legs?|arms?|fingers?|neck|throat|skull|head|face|brains?|eyes?|guts|knees?|kneecaps|spine|back|hands?|tongue|ears?)'
const relative =
  '(?:wife|husband|kids?|children|child|son|daughter|mother|father|mum|mom|dad|parents|family|sister|brother|girlfriend|boyfriend|house|home|car|dog|cat|school|office|flat|door|bedroom|street)'

export interface HostilePattern {
  kind:
    | 'threat'
    | 'incitement'
    | 'dehumanising comparison'
    | 'contempt'
    | 'encouragement of self-harm'
    | 'harassment'
  pattern: RegExp
}

const make = (kind: HostilePattern['kind'], sources: readonly string[]): HostilePattern[] =>
  sources.map((source) => ({ kind, pattern: new RegExp(source, 'g') }))

export const hostilePatterns: readonly HostilePattern[] = [
  ...make('threat', [
    `\\b(?:i|we|i'll|we'll|he'll|they'll|somebody|someone)\\b.{0,25}\\b(?:${violent}|knock|kick|rip|tear|twist|snap|bash|stamp|stomp|shatter|crack|chop|pull|carve|wring|rearrange|blow)(?:ing)? (?:out |off |in )?(?:your|his|her|their) (?:\\w+ ){0,2}${bodyPart}\\b`,
    `\\b(?:i|we)(?:'ve| have|'m| am| are|'re)? (?:\\w+ )?(?:seen|know|found out|noticed|watched|been watching|watching|followed|remember|photographed) (?:where|which|what|when|who|how|the \\w+) (?:\\w+ ){0,3}(?:your|you|his|her|their) (?:${relative}|live|walk|park|sleep|work|go|take|drive)\\b`,
    `\\b(?:your|his|her) ${relative}\\b.{0,60}\\b(?:brakes? fail|would burn|burns? (?:easily|well|nicely)|might (?:get hurt|disappear|have an accident|burn)|accidents?|be a shame|so easily|who knows what|if anything (?:were to )?happen|keep an eye on|pretty|fragile)\\b`,
    `\\b(?:people|those|anyone|everyone|somebody|men|women|others) (?:who|that|like you)\\b.{0,40}\\b(?:tend to|usually|often|always|end up|sometimes|get|have) (?:\\w+ ){0,3}(?:accidents?|hurt|disappear|vanish|floating|in hospital|in a (?:ditch|wheelchair|coffin|box)|buried|regret it)\\b`,
    `\\bmeet(?:s|ing)? with (?:an )?accidents?\\b`,
    `\\b(?:say|do|try|touch|look at|talk to|come near|speak to|mention|post|call|cross)\\b.{0,40}\\b(?:again|me|her|him|my \\w+|here)\\b.{0,5}\\band (?:i|we|i'll|we'll|you|you'll|it)\\b.{0,15}\\b(?:${violent}|dead|regret|hospital|sorry|bleed|suffer|last|knock|rip|tear|bury|end you)\\b`,
    `\\b(?:i|we)(?:'ll| will| am going to|'m going to| shall)\\b.{0,12}\\b(?:bury you|end you|finish you|destroy you|cut you|hurt you|make you (?:pay|suffer|bleed|regret|wish)|hunt you|be waiting for you|be outside your|visit your (?:wife|family|kids|children|house|home)|pay (?:you|your family) a visit|see you bleed|dance on your grave|put you in (?:the ground|hospital|a grave|a coffin|a wheelchair))\\b`,
    `\\b(?:ich|wir) (?:\\w+ ){0,2}(?:bringe?|t(?:ö|o|oe)te|finde|kriege|erschie(?:ß|ss)e|steche|schlage|mache) (?:\\w+ )?(?:dich|euch)(?: (?:um|ab|fertig|kaputt|tot)|, und dann)\\b|\\bwirst du (?:\\w+ )?(?:bluten|sterben|bezahlen|bereuen)\\b|\\bdu (?:wirst|sollst) (?:\\w+ )?(?:sterben|bluten|verrecken)\\b|\\bje vais (?:te|vous) (?:tuer|crever|buter|frapper|retrouver)\\b|\\b(?:te|os) voy a (?:matar|romper|encontrar|pegar)\\b`,
    `\\b(?:i|we|i am|we are|somebody|someone|my (?:brother|friend|boys)s?)(?: will|'ll|'m| am| are|'re| shall| want to| would love to| wanna| hope to| swear i will| could| should| might)? ?${adverb}${violent}s? (?:off )?${anybody}\\b`,
    `\\b(?:i|we)(?: will|'ll| am going to| are going to|'m going to|'re going to|'m gonna|'m coming to| shall| can| could)? ?${adverb}(?:come (?:after|for|and get)|get|find|hunt(?: down)?|track down|(?:find you and )?make (?=you (?:pay|suffer|regret|bleed|sorry|wish)))[ ]?(?:you|u|your family|him down|her down|them all|you all)\\b(?! (?:a|an|the|some|that|this|information|help|in touch|started|more))`,
    `\\bi (?:know|have|found|found out|looked up) (?:where|which school) (?:you|your|he|she|they)\\b.{0,20}\\b(?:live|lives|work|works|sleep|park|school|goes|go)\\b`,
    `\\b(?:you|u|he|she|they)(?: will|'ll| are going to|'re going to|'re gonna| gonna) ${adverb}(?:regret (?:this|that|it|the day|crossing|ever|what|messing)|pay for (?:this|that|it|what)|be sorry|die|suffer|bleed|wish you)\\b`,
    `\\b(?:you|u|he|she)(?:'re| are|'s| is) (?:a )?(?:as good as )?dead(?: meat| man| woman)?\\b(?! (?:right|wrong|sure|tired|serious|on|set|easy|simple))`,
    `\\b(?:watch your (?:back|step|mouth)|sleep with one eye open|your days are numbered|your time is (?:up|coming|running out)|you won'?t (?:see it coming|live to|make it (?:home|to)|walk (?:out|away|again))|the last thing you(?:'ll)? (?:ever )?(?:see|do|hear)|say (?:your prayers|goodbye to your)|next time .{0,30}won'?t (?:walk|be so lucky)|you(?:'ve| have) been warned|you better (?:run|hide|watch)|you'd better (?:run|hide|watch))\\b`,
    `\\b(?:shame|pity|terrible|unfortunate|sad) if (?:something|anything)\\b.{0,15}\\bhappen(?:s|ed)? to (?:you|your|him|her|that|those|them|the (?:kids|children|family))\\b`,
    `\\b(?:accidents|bad things|things|something bad|something nasty) (?:can |could |will |might |may |tend to |do )?happens? to (?:people|those|anyone|kids|families|you|your)\\b`,
    `\\b(?:burn|smash|blow|shoot) (?:down |up )?your (?:house|home|office|car|face|brains|shop|place)\\b`,
    `\\b(?:put|stick) a (?:bullet|knife) (?:in|into|through|between) (?:you|your|his|her|their|him|them)\\b`,
    `\\bbreak (?:every bone|your (?:legs|neck|arms|bones|jaw|fingers))\\b`,
    `\\b(?:you|they|he|she) (?:had )?(?:better )?(?:pay|leave|shut up|stop|comply|sign|keep quiet|do (?:it|as)).{0,40}\\bor (?:else|i will|i'll|we will|we'll|you will|you'll)\\b.{0,20}(?:hurt|kill|regret|come|suffer|find|pay|sorry|$)`,
  ]),
  ...make('incitement', [
    `(?:^|[,;:] )(?:go )?(?:beat(?: up)?|punch|stab|kill|attack|spit on|burn|smash|hit|shoot|kick|hurt|lynch|hang|trip|slap|egg|stone) (?:every|any|all|each|the next|the first|every single|him|her|them)(?: \\w+){0,4} (?:who|you see|you meet|you find|on sight|whenever)\\b`,
    `\\b(?:when(?:ever)?|if|next time) you (?:see|meet|spot|find|catch|hear)\\b.{0,40}, (?:\\w+ )?(?:spit|hit|punch|beat|kick|slap|shoot|kill|hurt|run (?:them|him|her) over|throw|push|stab|attack|trip|stone)\\b`,
    `\\b(?:spit on|throw (?:stones|rocks|bottles|bricks) at|set fire to|torch|firebomb|burn down|loot|vandali[sz]e) (?:\\w+ ){0,4}(?:${groups}|him|her|them|mosques?|synagogues?|churches|hostels?|shelters?|homes|houses|temples)\\b`,
    `\\b(?:someone|somebody|we|they|people|everyone|you|i)(?: all)? (?:should|must|ought to|need to|needs to|has to|have to|had better|gotta|ought) ${adverb}(?:${violent}|get rid of|wipe out|deport|round up|put down|lock up|punish) ${anybody}\\b`,
    `\\b${they}(?: all)?(?: really| all)? (?:should|must|ought to|need to|needs to|have to|deserves?(?: to)?|has to)(?: all)? ${adverb}(?:be |get |have been )?(?:${violated}|die|suffer|rot|burn|hang|bleed|perish|disappear)\\b`,
    `\\b(?:let'?s|let us|time to|join (?:me|us) (?:\\w+ )?(?:to|and)|go and|please|we want to|want to)(?: all)? ${adverb}(?:${violent}(?: the (?:faces|heads|skulls|homes|houses|shops) of)?|get rid of|wipe out|eradicate|purge|hunt down) ${anybody}\\b`,
    `\\b(?:hunt|track) (?:them|him|her|you) (?:all )?down and (?:\\w+ )?(?:beat|kill|hurt|shoot|hang)\\b`,
    `\\b(?:kill|exterminate|gas|hang|shoot|burn|lynch|eradicate|wipe out|death to|deport)(?: them)? (?:all |the |every |those |these )(?:of (?:them|you) |the |those |these )?(?:${groups})\\b`,
    `\\b(?:death to|kill|exterminate|gas|hang|lynch) (?:all )?(?:the )?(?:${groups}|them all|you all)\\b`,
    `\\b(?:the )?only good ${people} (?:is|are) (?:an? )?dead\\b`,
    `\\b(?:world|country|town|place|society|we|life|everyone)\\b.{0,25}\\bbetter (?:off |place )?(?:without|if there (?:were|was) no|with no|with fewer|with less)(?: ${people}| them| those)\\b`,
    `\\b(?:get rid of|cleanse|purge|wipe out|eradicate|exterminate)(?: the (?:country|world|earth|city) of)? ${people}\\b`,
    `\\b(?:(?:send|kick|throw|drive|burn)(?: down)?) (?:them|their (?:mosques?|churches|synagogues?|homes|houses|shops|temples)|${people})(?: all)?(?: back| out| down|,)?(?= |[.!]|$)(?<=back|out|down|mosques?|churches|synagogues?|temples)`,
    `\\bgo back to (?:your (?:own )?country|where you (?:came|come) from|africa|mexico|china|your cave)\\b`,
    `\\b(?:no|not a single|none of(?: you| them| those)?) ?(?:${people})? ?(?:deserves?|should be allowed|has a right|have a right|has the right) to (?:live|exist|breathe|vote|be here|reproduce|breed|be happy|have)\\b`,
    `\\b(?:${they}) (?:do not|don'?t|does not|doesn'?t|did not|never) (?:even )?deserve (?:to (?:live|exist|breathe|be here|be happy|reproduce|have|be (?:treated|loved))|rights|life|happiness|freedom|respect|love|mercy|any)\\b`,
    `\\b(?:${groups})(?: people)? (?:should|must) (?:not|never) be allowed\\b|\\b(?:${groups}) (?:have|has) no place (?:in|here|among)\\b|\\b(?:there is|there's) no place for (?:${groups})\\b`,
  ]),
  ...make('dehumanising comparison', [
    `\\b${they}(?:'re| are| is|'s) ${degree}(?:livestock|cattle|breeding|breeders|objects?|property|slaves?|things|germs|bacteria|mould|mold|weeds?|a herd|herd animals|sheep|goats|swarm|flood|horde|sewage|waste|excrement|shit|a different species|not (?:like )?us)\\b(?=.{0,40}\\b(?:good for|nothing more|only|not|should|must|to be|and nothing)|[.!])`,
    `\\b${they}(?:'re| are| is|'s| were| look| looks| act| behave| live| smell| multiply| breed) ${degree}${vermin}\\b(?! (?:lovers?|shelters?|rights|owners?|people|friendly|doctors?|research))`,
    `\\b(?:${groups}|they|you people) ${adverb}(?:breed|multiply|live|act|behave|spread|infest|smell|reproduce) (?:like|as) (?:\\w+ ){0,2}${vermin}\\b`,
    `\\b(?:${groups}|they|those people|these people|you people) (?:are infesting|infest|are an? (?:infestation|invasion|stain|blight|pest) )\\b`,
    `\\b(?:${groups}|they|you|those people|these people|you people)(?:'re| are| is|'s)(?: n't| not|n't) (?:even |really |fully |truly )?(?:human(?: beings?)?|people|persons)\\b`,
    `\\b(?:don'?t|do not|cannot|can'?t) (?:consider|call|regard|see|count) (?:${people}|them|you) (?:as )?(?:human|people|equals?)\\b`,
    `\\b(?:those|these|you|such|filthy|dirty|disgusting|the|fucking|stupid) (?:\\w+ )?(?:vermin|cockroaches|subhumans?|sub-humans?|parasites|scumbags?|scum|savages|maggots)\\b(?! (?:control|problem|prevention|in (?:the|your)|on|treatment))`,
    `\\b(?:${groups}) are to\\b.{0,30}\\bwhat\\b.{0,30}\\b(?:vermin|rats|cockroaches|parasites|cancer)`,
  ]),
  ...make('contempt', [
    `\\b(?:you|u|ya)(?:'re| are| r)?(?: \\w+){0,3} (?:stupidest|dumbest|ugliest|laziest|worst|most (?:stupid|useless|incompetent|pathetic|disgusting|annoying|worthless|ignorant|boring|hopeless|idiotic))\\b`,
    `\\byou(?:'re| are)? (?:\\w+ ){0,3}(?:idiots?|morons?|losers?|imbeciles?|cretins?|scum(?:bags?)?|bastards?|retards?|halfwits?|dimwits?|numbskulls?|simpletons?|nitwits?|blockheads?|waste of \\w+|good[- ]for[- ]nothing|clown|joke of an?|disgrace|embarrassment|failure|nobody)\\b`,
    `(?:^|, ?|you )(?:loser|idiot|moron|imbecile|stupid|dumbass|scum|trash|pig|cretin)s?[.!?]*$`,
    `\\b(?:met|seen|known) (?:\\w+ )?\\w+ (?:with|that (?:have|has|had)|who) (?:more|better|a higher) (?:\\w+ )?(?:talent|brains?|sense|intelligence|iq|personality|charm|character|wit|use)\\b.{0,10}\\b(?:than|you)\\b`,
    `\\b(?:are you|were you born|is your (?:whole )?family) (?:really |this |that |actually )?(?:stupid|dumb|retarded|brainless|an? idiot|an? moron|thick)\\b`,
    `\\b(?:even|any|a) (?:\\w+ ){1,3}(?:is|are|has|would be) (?:smarter|brighter|more intelligent|more useful|more competent|better) than you\\b`,
    `\\b(?:your (?:mother|parents|family)) (?:should|must|ought|would) (?:be ashamed|have (?:aborted|swallowed|drowned)|regret)\\b`,
    `\\bdu (?:\\w+ ){0,4}(?:idiot|vollidiot|arschloch|hurensohn|wichser|dumm|wertlos|abschaum|mi(?:ss|ß)geburt|penner|schlampe|versager|trottel|dreckig\\w*|opfer|schwein)\\b|\\b(?:vollidiot|hurensohn|arschloch|drecksau|mistst(?:ü|u)ck)\\b|\\b(?:espèce d[e']|sale|ferme ta gueule|va te faire|connard|salope|imb(?:é|e)cile|hijo de puta|pendejo|gilipollas|eres (?:un |una )?(?:idiota|imb(?:é|e)cil|est(?:ú|u)pid\\w|in(?:ú|u)til))\\b`,
    `\\b(?:i|we) (?:(?:can'?t|cannot|could not) ${adverb}stand|${adverb}(?:hate|despise|detest|loathe|abhor|am disgusted by|am sick of|want nothing to do with)) (?:you|${people}|(?:${groups}))\\b(?! (?:to |going |leaving |being ))`,
    `\\b(?:i|we)(?:'m| am| are|'re) (?:\\w+ )?(?:disgusted|repulsed|sickened|revolted) by (?:you|${people})\\b`,
    `\\b(?:you|u|ya)(?:'re| are| r)? ${degree}(?:too )?${contempt}\\b(?! (?:for (?:us|me)|without|when|if)\\b)`,
    `\\byou (?:absolute |total |complete |fucking |stupid |pathetic |worthless |dumb |ugly |fat |little |lazy |useless |sick |old ){1,3}(?:idiot|moron|pig|cow|bitch|dog|bastard|piece|loser|fool|imbecile|freak|waste|cunt|excuse|fuck|prick|clown|person|human|woman|man|girl|boy|scum|liar|coward|creep|thing)\\b`,
    `\\byou (?:\\w+ ){0,2}(?:idiots?|morons?|losers?|imbeciles?|cretins?|scum(?:bags?)?|bastards?|retards?)\\b`,
    `\\b(?:what an?|such an?|only an?) (?:\\w+ ){0,2}(?:idiot|moron|loser|imbecile|cretin|piece of (?:shit|trash|garbage)|waste of (?:space|oxygen))\\b`,
    `\\b(?:${groups}|those people|these people|you people|people like (?:you|them))(?:'re| are| is) ${degree}(?:${contempt}|the (?:worst|reason|root|cause|problem)|ruining|destroying|taking over|to blame|worse)\\b`,
    `\\b(?:all|every|any|those|these) (?:${groups}) (?:are|is) ${degree}(?:${contempt}|criminals|the worst)\\b`,
    `\\b(?:shut (?:the (?:fuck|hell) )?up|screw you|piss off|drop dead|go to hell|rot in hell|burn in hell|nobody (?:likes|loves|wants|cares about) you|no one (?:likes|loves|wants|cares about) you|you make me sick|you disgust me|waste of (?:space|oxygen|skin)|go (?:and )?die|(?:wish|hope) (?:you|they|he|she|all (?:${groups})) (?:all )?(?:were dead|would die|die|get (?:cancer|hit|killed|shot)|had never been born|suffer|rot|were never born|burn|choke)|piece of (?:shit|trash|garbage))\\b`,
    `\\b(?:being|if you are|anyone who is|everyone who is) (?:\\w+ )?(?:gay|black|muslim|jewish|trans|disabled|an? (?:woman|immigrant)) (?:is|are) (?:\\w+ )?(?:disgusting|sick|a (?:disease|sin|disgrace)|inferior|scum|unnatural|wrong)\\b`,
  ]),
  ...make('harassment', [
    `\\b(?:send|give|pay|show|do|meet|answer|write|transfer|come|go out|sleep)\\b.{0,60}\\bor (?:else )?(?:i'll|i will|we'll|we will|i'm going to|everyone|your)\\b.{0,20}\\b(?:show|tell|post|send|leak|publish|expose|share|see|ruin|upload|forward|release|know|find out|hear)\\b(?=.*\\b(?:everyone|photos?|pictures?|videos?|nudes?|first one|secret|your (?:boss|wife|husband|parents|family|mother)))`,
    `\\b(?:i'll|i will|i'm going to|we'll|we will|we're(?: all)? going to|we are(?: all)? going to)(?: just| all)? (?:keep (?!trying|looking|working|waiting|searching|going)|make another|message|call|ring|text|email|follow|wait|spam|bombard|flood|turn up|show up|come)\\b.{0,60}\\b(?:until|till|unless) (?:you|she|he|they)\\b.{0,20}\\b(?:answer|talk|reply|delete|quit|give|leave|respond|apologi[sz]e|break|love|speak|cry|cries|resign|pay|unblock)s?\\b`,
    `\\b(?:you can(?:'?t|not)|don'?t (?:\\w+ ){0,2}think you can) (?:\\w+ )?(?:block|hide from|escape|get away from|run from|ignore) me\\b`,
    `\\b(?:everyone|everybody|let'?s|all of you|guys|we should)(?: all)? (?:\\w+ )?(?:message|spam|email|call|bombard|flood|mass[- ]report|bully|mock|dox) (?:her|him|them|this (?:girl|guy|woman|man|bitch|loser))\\b`,
    `\\bhere (?:is|are) (?:her|his|their) (?:home )?(?:address|phone number|number)\\b.{0,40}\\b(?:visit|call|teach|let (?:her|him|them) know|do your (?:thing|worst)|have fun)\\b`,
  ]),
  ...make('encouragement of self-harm', [
    `\\b(?:do (?:us|everyone|everybody|the world|yourself|me)(?: all)? a favou?r)\\b[^.]{0,3}$`,
    `\\b(?:if|were) (?:i|you) (?:\\w+ )?(?:as|that|so) (?:worthless|useless|ugly|stupid|pathetic)\\b.{0,60}\\b(?:jump|end|kill|die|hang|gone|dead|rope)`,
    `\\b(?:world|everyone|everybody|we|they|family|people|all|nobody|earth)\\b.{0,40}\\bif you (?:didn'?t|did not|never|don'?t|stopped?|just) (?:\\w+ )?(?:wake up|woke up|waking up|breath(?:e|ing)|existed|existing|come back|came back|born|were gone|vanished)\\b`,
    `\\b(?:what'?s (?:keeping|stopping) you|just (?:jump|do it)|nobody will stop you|stop talking about it and do it|you won'?t do it|jump already|do it already|the (?:bridge|rope|roof|train) is (?:right )?(?:there|waiting))\\b(?=.*(?:[.?!]|$))(?<=(?:jumped|worthless|rope|bridge|kill|die|end|jump|life|roof|train|pills).{0,80})`,
    `\\b(?:take|swallow) (?:all |the whole |more )(?:\\w+ ){0,3}(?:pills|tablets|bottle)(?:,| and)? (?:\\w+ )?(?:go to sleep|sleep|never|don'?t wake|be done|nobody|end)\\b`,
    `\\b(?:kill|hurt|harm|hang|shoot|cut|off|drown|neck) (?:yo)?urself\\b`,
    `\\bk\\.?y\\.?s\\b(?=[.!? ]*$|[.!]| (?:now|loser|already|you|idiot))`,
    `\\b(?:you|u) (?:really |just )?(?:should|ought to|need to|must|might as well|could|deserve to) (?:just |really |simply |go |go and |finally )*(?:end it(?: all)?|end your (?:own )?life|die|jump (?:off|in front|from)|take your (?:own )?life|stop (?:living|breathing|existing)|not (?:be alive|exist)|disappear(?: forever)?|give up on life|swallow|overdose)\\b`,
    `\\b(?:go|just|please|why (?:don'?t|not) (?:you )?)(?: and| just| go)* (?:jump (?:off|in front|from)|drink bleach|slit your (?:wrists|throat)|end (?:it all|your life)|hang yourself|swallow (?:all|the whole|a bottle)|play in traffic|take (?:a long walk off|all your pills))\\b`,
    `\\b(?:nobody|no one|none of us|noone|not a soul) (?:would|will|is going to|'d) (?:even )?(?:miss you|care if you (?:die|died|were gone|disappeared)|notice if you (?:die|died|were gone|disappeared)|cry)\\b`,
    `\\b(?:world|everyone|everybody|we|they|family|people|all)\\b.{0,20}\\bbetter (?:off |place )?(?:without you|if you (?:were|was|are)(?: dead| gone|n'?t here|n'?t (?:around|alive)| not (?:here|around|alive)| never)|if you (?:died|disappeared|ended))\\b`,
    `\\b(?:do (?:us|everyone|everybody|the world|yourself)(?: all)? a favou?r(?:,| and) .{0,20}(?:die|kill|end|jump|disappear|drop dead|hang)|there is no (?:point|reason) (?:in|for) you (?:living|to live|going on)|why (?:are you|aren'?t you) (?:still (?:alive|breathing)|dead)|you have nothing to live for|your life (?:is|has) (?:worthless|no value|no point|meaningless|not worth))\\b`,
  ]),
]

/** Words of somebody who reports or condemns what others say, and of technical or medical texts. */
export const reporting =
  /\b(?:portrayed|propaganda|exhibition|described|compared|depicted|histor(?:y|ian|ical)\w*|museum|regime|portray|depict|stereotypes?|prejudice|study|survey|research|newspapers?|said|says|wrote|writes|posted|tweeted|shouted|yelled|chanted|told|claimed|called|calling|quoted|reported|according to|accused|charged|convicted|arrested|sentenced|banned|condemned|apologi[sz]ed|allegedly|alleged|phrase|slogan|sentence|words?|term|comments?|statement|statements|saying|message|graffiti|lyrics?|character|novel|film|scene|example|translation|means|hate speech|considered|seen as|regarded as|worst (?:sellers?|off|hit|affected)|unacceptable|wrong|racist|sexist|homophobic|transphobic|bigoted|offensive|never (?:say|use|accept)|should not (?:be|say)|must not (?:be|say)|not ok(?:ay)?|don'?t (?:say|tell|call)|never (?:tell|call)|ashamed|problematic|disagree|stupid to say|harmful|hurtful|unfair|reported)\b/

/** Words that are contemptuous near the name of a group of people, in any order. */
export const groupWord = new RegExp(`\\b(?:${groups}|(?:wo)?man|girl)\\b`, 'g')
export const contemptWord = new RegExp(
  `\\b(?:${contempt.replace('|nothing', '').replace('|lazy', '|lazy|ignorant|uncivili[sz]ed|sickening|lesser beings?|second-class|hatred|contempt|no compassion|no respect|can.?t trust|cannot trust|never trust|don.?t trust|don.?t hire|(?:never|not|won.?t|wouldn.?t) (?:hire|rent to|serve|sell to|trust|marry|employ)|not welcome|don.?t belong|taking our jobs|stay away from|not to be trusted|can.?t stand|the (?:absolute )?worst|nothing worse|boil with anger|with so much rage|disgusted|should not apply|do(?:es)? not matter|no value|worth (?:absolutely )?nothing|no right to|never be allowed|will ruin|no space|not worthy')}|${vermin.replace('pigs?|swine|dogs|', '').replace('animals?|', '').replace('diseases?|', '').replace('|cancers?|tumou?rs?', '').replace('disease|', '').replace('|virus(?:es)?', '').replace('|insects?', '').replace('|snakes?|beasts?', '').replace('|bugs|locusts|ticks', '').replace('|monsters?', '')})(?![\\p{L}])`,
  'gu',
)
/** Violence counts if the writer wishes or announces it. */
export const wishedViolence = new RegExp(
  `\\b(?:i|we|we'll|i'll|someone|somebody|should|ought|wish|hope|if only|just world|must|deserve|let's|want)\\b.{0,60}\\b(?:${violent}(?:ing)?|${violated}|attacking|shooting|raping|stabbing|put an end to|throats? cut|snap the necks?|die a horrible death)\\b|\\b(?:raping|killing|beating) (?:a |an |the |all )?\\w+.{0,30}\\bshould (?:not be illegal|be legal|be allowed)\\b|\\bdie a horrible death at my hands\\b`,
)

/** Before a hostile phrase, these words deny it: "I would never say that", "nobody should be killed". */
export const denying =
  /\b(?:no|do(?:es)? not|don'?t|doesn'?t|did not|didn'?t|never|no one|nobody|not|isn'?t|aren'?t|won'?t|wouldn'?t|would not|should not|shouldn'?t|must not|can'?t|cannot|if someone says|untrue that|false that|wrong to|illegal to|afraid that|fear(?:s|ed)? that|threatened to|how (?:do|can) i stop|thoughts of|urges? to|want(?:s|ed)? to|feel like)\s(?:\S+\s){0,3}$/
