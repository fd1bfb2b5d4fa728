#pragma once
#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Macros and variadic functions of OpenSSL that Swift cannot see. No logic.

static inline long kin_ctx_set_mode(SSL_CTX *context, long mode) { return SSL_CTX_set_mode(context, mode); }
static inline int kin_ctx_set_min_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version);
}
static inline long kin_ctx_set_session_cache_mode(SSL_CTX *context, long mode) {
    return SSL_CTX_set_session_cache_mode(context, mode);
}
static inline long kin_ctx_set_groups(SSL_CTX *context, const char *list) {
    return SSL_CTX_set1_groups_list(context, list);
}
static inline long kin_ctx_add_chain_certificate(SSL_CTX *context, X509 *certificate) {
    return SSL_CTX_add1_chain_cert(context, certificate);
}
static inline long kin_set_server_name(SSL *ssl, const char *name) { return SSL_set_tlsext_host_name(ssl, name); }
static inline void kin_bio_retry_read(BIO *bio) { BIO_set_retry_read(bio); }
static inline void kin_bio_clear_retry(BIO *bio) { BIO_clear_retry_flags(bio); }
static inline EVP_PKEY *kin_make_p256_key(void) { return EVP_EC_gen("P-256"); }

// The parameters name their key as not constant; it is only read.
static inline int kin_mac_set_key(EVP_MAC_CTX *mac, const unsigned char *key, size_t count) {
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, (void *)key, count),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA256", 0),
        OSSL_PARAM_construct_end(),
    };
    return EVP_MAC_CTX_set_params(mac, params);
}

static inline STACK_OF(X509) *kin_certificates_new(void) { return sk_X509_new_null(); }
static inline int kin_certificates_push(STACK_OF(X509) *stack, X509 *certificate) {
    return sk_X509_push(stack, certificate);
}
static inline void kin_certificates_free(STACK_OF(X509) *stack) { sk_X509_free(stack); }
static inline int kin_certificates_count(const STACK_OF(X509) *stack) { return sk_X509_num(stack); }
static inline X509 *kin_certificates_at(const STACK_OF(X509) *stack, int index) { return sk_X509_value(stack, index); }

static inline int kin_names_count(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }
static inline const GENERAL_NAME *kin_names_at(const GENERAL_NAMES *names, int index) {
    return sk_GENERAL_NAME_value(names, index);
}
static inline GENERAL_NAMES *kin_alternative_names(const X509 *certificate) {
    return (GENERAL_NAMES *)X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
}
static inline NAME_CONSTRAINTS *kin_name_constraints(const X509 *certificate) {
    return (NAME_CONSTRAINTS *)X509_get_ext_d2i(certificate, NID_name_constraints, NULL, NULL);
}
// RFC 2253, with UTF-8 left as it is.
static const unsigned long kin_name_flags = XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB;
// An extension in the notation of x509v3_config(5), added to a certificate.
static inline int kin_add_extension(X509 *certificate, X509 *issuer, int nid, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    int added = extension != NULL && X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return added;
}
// P-256 (FIPS 186-4): the point of a scalar, 65 bytes; the x of a scalar times somebody's point, 32 bytes. 1 where the
// scalar is between 0 and the order, and the point lies on the curve.
static inline int kin_p256_times(const unsigned char *scalar, const unsigned char *point, unsigned char *made) {
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    EC_POINT *other = EC_POINT_new(group);
    EC_POINT *product = EC_POINT_new(group);
    BIGNUM *factor = BN_bin2bn(scalar, 32, NULL);
    BIGNUM *x = BN_new();
    BN_set_flags(factor, BN_FLG_CONSTTIME);
    int done = !BN_is_zero(factor) && BN_cmp(factor, EC_GROUP_get0_order(group)) < 0;
    if (done && point == NULL) {
        done = EC_POINT_mul(group, product, factor, NULL, NULL, NULL) == 1 &&
               EC_POINT_point2oct(group, product, POINT_CONVERSION_UNCOMPRESSED, made, 65, NULL) == 65;
    } else if (done) {
        done = EC_POINT_oct2point(group, other, point, 65, NULL) == 1 &&
               EC_POINT_mul(group, product, NULL, other, factor, NULL) == 1 &&
               EC_POINT_get_affine_coordinates(group, product, x, NULL, NULL) == 1 && BN_bn2binpad(x, made, 32) == 32;
    }
    BN_clear_free(x);
    BN_clear_free(factor);
    EC_POINT_clear_free(product);
    EC_POINT_free(other);
    EC_GROUP_free(group);
    return done;
}
// The key of a scalar and its point; NULL where they do not belong together.
static inline EVP_PKEY *kin_p256_key(const unsigned char *scalar, const unsigned char *point) {
    unsigned char native[32];
    BIGNUM *number = BN_bin2bn(scalar, 32, NULL);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    EVP_PKEY *key = NULL;
    if (BN_bn2nativepad(number, native, 32) == 32 && EVP_PKEY_fromdata_init(context) == 1) {
        OSSL_PARAM params[] = {
            OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)"prime256v1", 0),
            OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, 65),
            OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, native, 32),
            OSSL_PARAM_construct_end(),
        };
        if (EVP_PKEY_fromdata(context, &key, EVP_PKEY_KEYPAIR, params) != 1) key = NULL;
    }
    OPENSSL_cleanse(native, 32);
    EVP_PKEY_CTX_free(context);
    BN_clear_free(number);
    return key;
}
static inline int kin_cipher_tag(EVP_CIPHER_CTX *context, unsigned char *tag) {
    return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag);
}
static const uint64_t kin_options = SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION;
static const uint64_t kin_server_options = SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA;
