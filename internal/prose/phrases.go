package prose

import "recollect/internal/rule"

// Reasons begins the part of a sentence that says why.
var Reasons = rule.Lazy(`,? (?:because|since|so that|so we|so i|so it|as it|as this|as we|as the|due to|in order to|to avoid|to prevent|to keep|to ensure|given that|weil|damit|parce que|car|porque|para que|ya que)\b |[,:;]? (?:otherwise|sonst|sinon|si no) `)

// Pronominal is what begins a sentence whose subject stands in the one before.
var Pronominal = rule.Lazy(`(?i)^(?:this|that|that's|it|its|it's|these|those|they|both|he|she)\b`)

// LanguagePattern is for the languages that people ask to be answered in.
const LanguagePattern = `(?:german|english|french|spanish|italian|portuguese|dutch|polish|russian|chinese|japanese|korean|turkish|swedish)`

// HerePattern says that something holds where one is.
const HerePattern = `(?:here|in (?:this|our|my) (?:repo|repository|project|codebase|code base|team|company|code)|at our company)`
