// kin
